#pragma once

#include "engines/sql/answer.hpp"
#include "engines/sql/session/batch.hpp"
#include "engines/sql/session/request.hpp"
#include "engines/sql/session/statement.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace redlock::postgresql::one_row {

// Where a transaction is for one key alone, what makes rows of many is half of what it costs the server.

/// Prepares what is sent then. `with_labels`: an acquire takes one more parameter, the label.
sql::statements preparations(bool with_labels);

/// Whether there is a statement for it: it acquires or releases a key that a row has as it is.
bool fits(const sql::request& alone) noexcept;
/// The only one of a batch, where it is one that is sent so.
const sql::request* only_one(const sql::batch& all) noexcept;
/// For one that fits. `read` makes of its answer what is answered for many.
sql::statement statement_for(const sql::request& alone, std::uint32_t table, std::int64_t fence_base,
                             const std::optional<std::string>& label);
/// What is sent when the row of one who acquires was not there, or not free, although it was left: it is
/// asked for as one that was not. Answers as those for many do.
sql::statement statement_for_missed(const sql::request& alone, std::uint32_t table, std::int64_t fence_base,
                                    const std::optional<std::string>& label);

/// Turns the answer to `statement_for` into that of a statement for many. False where it says too little:
/// `statement_for_missed` is to follow.
bool read(const sql::request& alone, std::vector<sql::answer>& told);
/// Likewise, of a release alone: the number is the sum of these, where the key was its own to the end and
/// where somebody waits.
sql::answer::row row_of_release(const sql::answer::cell& said);
inline constexpr std::int64_t was_own = 1, somebody_waits = 2;

// Names of what was prepared.
inline constexpr const char* acquire_name = "redlock_acquire_row";
inline constexpr const char* retake_name = "redlock_retake_row";
inline constexpr const char* release_name = "redlock_release_row";

} // namespace redlock::postgresql::one_row
