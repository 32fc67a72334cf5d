#pragma once

#include "engines/sql/answer.hpp"
#include "engines/sql/session/batch.hpp"
#include "engines/sql/session/statement.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace redlock::postgresql::advisory {

/// Whose advisory lock a key is: the first 64 bits of its SHA-256.
std::int64_t number_of(std::string_view key) noexcept;

/// Prepares what is sent for locks under the names that rows have, and with the same parameters and answers
/// (`batch`), but for the number in the place of the key: so all else is the same for both.
sql::statements preparations();

/// As `postgresql::transaction`; one key alone has statements of its own.
sql::statements transaction(const sql::batch& asked, std::uint32_t table, std::int64_t fence_base);
/// Turns the answer to one alone, which is a number, into that of a statement for many; the others are so.
void read(const sql::batch& asked, std::vector<sql::answer>& told);

/// Who has a key, if anybody: his process, when that began, what it is called, where it is; and how many
/// sessions wait.
sql::statement look(std::string_view key, std::size_t bucket);

} // namespace redlock::postgresql::advisory
