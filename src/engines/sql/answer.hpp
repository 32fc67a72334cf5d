#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::sql {

/// What a database said to one statement: rows, or an error. Plain values, so that what they mean can be
/// tested without a database.
struct answer {
    using cell = std::optional<std::string>; ///< nothing for NULL
    using row = std::vector<cell>;

    std::vector<row> rows{};
    std::string
        error_code{}; ///< the server's: SQLSTATE, or a number; empty when the statement was carried out
    std::string error_text{}; ///< the server's words, cut and printable

    bool failed() const noexcept { return !error_code.empty(); }
};

/// The words of one that failed: they continue the name of the database.
std::string words_of(const answer& failed);

/// The number in a cell. Nothing for NULL, and for whatever is no number of 64 bits.
std::optional<std::int64_t> number_in(const answer::cell& c) noexcept;

/// The cell of a row, NULL where the row is shorter.
const answer::cell& cell_of(const answer::row& r, std::size_t column) noexcept;

} // namespace redlock::sql
