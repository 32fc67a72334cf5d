#include "engines/zookeeper/wire/jute_reader.hpp"

namespace redlock::zookeeper {

std::uint64_t jute_reader::get(std::size_t size) noexcept {
    if (rest_.size() < size) {
        fail();
        return 0;
    }
    std::uint64_t n = 0;
    for (const char c : rest_.substr(0, size))
        n = n << 8 | static_cast<unsigned char>(c);
    rest_.remove_prefix(size);
    return n;
}

std::string_view jute_reader::get_text(std::size_t longest) noexcept {
    const std::int32_t said = get_int();
    if (said <= 0) {
        if (said < -1) fail();
        return {};
    }
    const auto size = static_cast<std::size_t>(said);
    if (size > longest || size > rest_.size()) {
        fail();
        return {};
    }
    const std::string_view text = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return text;
}

std::size_t jute_reader::get_count(std::size_t most, std::size_t least_size) noexcept {
    const std::int32_t said = get_int();
    if (said <= 0) {
        if (said < -1) fail();
        return 0;
    }
    const auto count = static_cast<std::size_t>(said);
    if (count > most || count > rest_.size() / least_size) {
        fail();
        return 0;
    }
    return count;
}

} // namespace redlock::zookeeper
