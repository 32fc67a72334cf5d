#include "engines/sql/answer.hpp"

#include <fmt/format.h>

#include <charconv>

namespace redlock::sql {

std::string words_of(const answer& failed) {
    return fmt::format("answered with the error {}: {}", failed.error_code, failed.error_text);
}

std::optional<std::int64_t> number_in(const answer::cell& c) noexcept {
    if (!c) return std::nullopt;
    std::int64_t number = 0;
    const char* const end = c->data() + c->size();
    const auto [behind, error] = std::from_chars(c->data(), end, number);
    if (error != std::errc() || behind != end) return std::nullopt;
    return number;
}

const answer::cell& cell_of(const answer::row& r, std::size_t column) noexcept {
    static const answer::cell null;
    return column < r.size() ? r[column] : null;
}

} // namespace redlock::sql
