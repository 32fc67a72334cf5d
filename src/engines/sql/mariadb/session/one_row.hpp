#pragma once

#include "engines/sql/answer.hpp"
#include "engines/sql/session/request.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::mariadb::one_row {

// Where a transaction is for one key alone, one statement does it, a transaction of its own with no rows in
// its answer: what makes rows of many takes the server several times as long.

/// Whether there is a statement for it: all but new fencing tokens.
bool fits(const sql::request& alone) noexcept;

/// Of a request that fits. Its answer is a row of how many rows there were to change, one or none, and a
/// number: of a release 1 where it came in time, of an acquire that was granted the fencing token, of one
/// that was refused the milliseconds that are left, and 0 where it found no row, or one that is in somebody's
/// hands this very moment. `of_mysql`: the kinds differ in how such a row is passed over. `is_prepared`:
/// `preparations` were made in the session.
std::string text_for(const sql::request& alone, std::int64_t fence_base, std::string_view label,
                     bool of_mysql, bool is_prepared);

/// Makes MariaDB read those for acquires and releases once for a session: to read them takes it a tenth of
/// the time that they take. MySQL can be given values for what was prepared only in a statement before.
std::string preparations();

/// What the answer to an acquire says, in the form in which it is told of many. False: it does not say
/// whether the key is free, and whoever has asked must ask as for many.
bool read_acquire(const sql::request& alone, std::vector<sql::answer>& told);

} // namespace redlock::mariadb::one_row
