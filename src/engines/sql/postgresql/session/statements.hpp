#pragma once

#include "core/instant.hpp"
#include "engines/sql/postgresql/session/schema.hpp"
#include "engines/sql/session/batch.hpp"
#include "engines/sql/session/statement.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::postgresql {

/// Of a connection that has just been made: how the session is set, and what the server says of itself, see
/// `handshake`.
sql::statements greeting(core::nanoseconds patience, bool locks_are_sessions);
/// Makes the schema, while no other client does; of locks that are sessions only the sequence.
sql::statements creation(bool locks_are_sessions);
/// Adds a place for labels to a table without one. It fails where somebody has the table for long: it waits
/// for nobody who waits for it.
sql::statements addition();
/// Prepares what is sent for locks. `with_labels`: `redlock_acquire` takes one more, the label of all.
sql::statements preparations(bool with_labels);
sql::statement wake_preparation();
/// Says what is known of the timeline: whether it is the first, and for how many milliseconds it is known.
sql::statements timeline_note(std::int64_t timeline);
/// Ends what the server does for an earlier connection of this client, should it still be at it: says how
/// many there were to end.
sql::statement end_of(std::int64_t process, std::int64_t began);

/// Releases, renewals, new tokens, acquires. What is added to the counter makes a fencing token of it. The
/// label, if the table has room for one, is that of whoever acquires, and may be empty.
sql::statements transaction(const sql::batch& asked, std::uint32_t table, std::int64_t fence_base,
                            const std::optional<std::string>& label = {});
/// Likewise, and with the statements for many though it be one. Keys go as numbers where there is a
/// `number_of` them.
sql::statements transaction_for_many(const sql::batch& asked, std::uint32_t table, std::int64_t fence_base,
                                     const std::optional<std::string>& label = {},
                                     std::int64_t (*number_of)(std::string_view key) noexcept = nullptr);
/// Tells those who wait for a group of keys that one may be free.
sql::statement wake(const std::vector<std::int64_t>& groups, std::uint32_t table);
sql::statement purge(std::uint32_t table);

// Names of what was prepared.
inline constexpr const char* acquire_name = "redlock_acquire";
inline constexpr const char* renew_name = "redlock_renew";
inline constexpr const char* release_name = "redlock_release";
inline constexpr const char* advance_name = "redlock_advance";
inline constexpr const char* wake_name = "redlock_wake";
inline constexpr const char* purge_name = "redlock_purge";
inline constexpr const char* unwaited_name = "redlock_unwaited";

/// Deletes rows of keys that nobody has had for a minute, `purge_limit` at most, unless another client does.
/// Says how many.
inline constexpr int purge_limit = 1000;

/// Advisory locks, and what is told of releases, name the table by this: PostgreSQL's number of it, as the
/// signed one that its functions take.
constexpr std::int32_t lock_class(std::uint32_t table) noexcept { return static_cast<std::int32_t>(table); }

// Of the session that is told of releases.
sql::statement hear();
sql::statement begin_to_wait(std::uint32_t table, std::size_t bucket);
sql::statement end_to_wait(std::uint32_t table, std::size_t bucket);

// Questions of users.
sql::statement look(std::string_view key, std::size_t bucket);
/// As `sql::dialect::state`; without a table the rights to it are none that could be missing.
sql::statement state(bool locks_are_sessions);
sql::statement is_current(std::string_view key, std::int64_t fencing_token);
sql::statement take_away(std::string_view key, std::string_view token);
/// Keys from `from` on and before `end`, `most` at most, in hexadecimal digits and the order of their bytes,
/// and of each 1 where it is held.
sql::statement list(std::string_view from, std::string_view end, std::size_t most);

} // namespace redlock::postgresql
