#include "engines/etcd/rule/key_names.hpp"

namespace redlock::etcd {

namespace {

constexpr std::string_view slash = "%2F";
constexpr std::string_view percent = "%25";

} // namespace

std::string key_names::escaped(std::string_view lock) {
    std::string text;
    text.reserve(lock.size());
    for (const char c : lock) {
        if (c == '/')
            text += slash;
        else if (c == '%')
            text += percent;
        else
            text += c;
    }
    return text;
}

std::string key_names::behind_all(std::string beginning) {
    constexpr char last = static_cast<char>(0xff);
    while (!beginning.empty() && beginning.back() == last)
        beginning.pop_back();
    if (beginning.empty()) return std::string(1, '\0'); // the end of all keys
    beginning.back() = static_cast<char>(static_cast<unsigned char>(beginning.back()) + 1);
    return beginning;
}

std::optional<key_names::parts> key_names::read(std::string_view key) const {
    if (!key.starts_with(beginning_)) return std::nullopt;
    key.remove_prefix(beginning_.size());
    const std::size_t end = key.find('/');
    if (end == key.npos || end == 0) return std::nullopt;
    parts found{.lock = {}, .try_name = key.substr(end + 1)};
    const std::string_view lock = key.substr(0, end);
    for (std::size_t i = 0; i < lock.size(); ++i) {
        if (lock[i] != '%') {
            found.lock += lock[i];
            continue;
        }
        const std::string_view code = lock.substr(i, slash.size());
        if (code != slash && code != percent) return std::nullopt;
        found.lock += code == slash ? '/' : '%';
        i += slash.size() - 1;
    }
    return found;
}

} // namespace redlock::etcd
