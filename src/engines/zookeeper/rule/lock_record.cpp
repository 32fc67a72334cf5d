#include "engines/zookeeper/rule/lock_record.hpp"

#include <fmt/format.h>

#include <charconv>

namespace redlock::zookeeper {

namespace {

/// Takes the text up to the next space, and that.
std::string_view next_word(std::string_view& rest) noexcept {
    const std::size_t end = rest.find(' ');
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
    return word;
}

template <class Number>
std::optional<Number> whole_number(std::string_view word) noexcept {
    Number n{};
    const char* const end = word.data() + word.size();
    const auto [behind, error] = std::from_chars(word.data(), end, n);
    if (error != std::errc() || behind != end) return std::nullopt;
    return n;
}

} // namespace

std::string lock_record::text() const {
    std::string all = fmt::format("{} {} {}", token, life.count(), fence);
    if (!label.empty()) all += " " + label;
    return all;
}

folder_content read_content(std::string_view data) {
    if (data.empty()) return {};
    if (data == shared_record) return {.is_shared = true};
    constexpr folder_content foreign{.is_ours = false};
    const std::string_view token = next_word(data);
    const auto life = whole_number<std::int64_t>(next_word(data));
    const auto fence = whole_number<std::uint64_t>(next_word(data));
    const bool is_token = token.size() == core::lock_token::size && core::read_token(token);
    if (!is_token || !life || *life < 1 || !fence) return foreign;
    return {.holder = lock_record{.token = std::string(token),
                                  .life = std::chrono::milliseconds(*life),
                                  .fence = *fence,
                                  .label = std::string(data)}};
}

std::string mark_text(const mark_content& c) {
    return c.label.empty() ? fmt::format("{}", c.fence) : fmt::format("{} {}", c.fence, c.label);
}

mark_content read_mark_content(std::string_view data) {
    const auto fence = whole_number<std::uint64_t>(next_word(data));
    if (!fence) return {};
    return {.fence = *fence, .label = std::string(data)};
}

} // namespace redlock::zookeeper
