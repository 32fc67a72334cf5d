#include "engines/sql/answer.hpp"

#include <charconv>

namespace redlock::sql {

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
