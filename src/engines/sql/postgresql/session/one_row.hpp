#pragma once

#include "engines/sql/session/request.hpp"
#include "engines/sql/session/statement.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace redlock::postgresql::one_row {

// Where a transaction is for one key alone, what makes rows of many is half of what it costs the server.

/// Prepares what is sent then. `with_labels`: an acquire takes one more parameter, the label.
sql::statements preparations(bool with_labels);

/// Whether there is a statement for it: it acquires or releases a key that a row has as it is.
bool fits(const sql::request& alone) noexcept;
/// That has the same answers as those for many. For one that fits.
sql::statement statement_for(const sql::request& alone, std::uint32_t table, std::int64_t fence_base,
                             const std::optional<std::string>& label);

// Names of what was prepared.
inline constexpr const char* acquire_name = "redlock_acquire_row";
inline constexpr const char* release_name = "redlock_release_row";

} // namespace redlock::postgresql::one_row
