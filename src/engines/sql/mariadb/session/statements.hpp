#pragma once

#include "core/instant.hpp"
#include "engines/sql/session/batch.hpp"
#include "engines/sql/session/statement.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::mariadb {

// Values stand in the texts as numbers, as digits of hexadecimal ones, or as tokens of this library: whatever
// bytes a key has, no statement can be broken by it.

/// Of a connection that has just been made: how the session is set, which name it goes by, and what the
/// server says of itself, see `handshake`.
sql::statements greeting(core::nanoseconds patience, std::string_view session_name);
sql::statements creation();
/// Which connection has the session of that name, if there is one.
sql::statements owner_of(std::string_view session_name);
sql::statements end_of(std::int64_t connection);
/// Notes which server it is, under which a new era begins where that is another than noted before: the era,
/// and for how many milliseconds it has lasted. Behind that, with `prepares`, prepares what is sent for one
/// key alone.
sql::statements era_note(std::string_view server_identity, bool prepares);

/// Releases, renewals, new tokens, acquires, in one transaction. Fencing tokens are above the base. The label
/// is that of whoever acquires, and may be empty. One alone goes as `one_row` has it, where there is a
/// statement for it, which `is_prepared` or is not.
sql::statements transaction(const sql::batch& all, std::int64_t fence_base, std::string_view label,
                            bool of_mysql, bool is_prepared = false);
/// What is known of the keys that are released and renewed: all are one's own, or some may not be.
enum class owned : std::uint8_t { all, some };
/// Likewise, and always as many go, in the form of `sql::dialect`. Of keys that are all one's own it says
/// nothing, and where they are not it fails and does nothing.
sql::statements transaction_for_many(const sql::batch& all, std::int64_t fence_base, std::string_view label,
                                     bool of_mysql, owned o);
/// To what such a one has said that all are.
void add_owned(const sql::batch& all, std::vector<sql::answer>& told);
/// Whether that is why such a one failed, or may be.
bool says_some_are_not_owned(const sql::batch& all, const sql::answer& failed);
/// Deletes rows of keys that nobody has had for a minute, `purge_limit` at most.
inline constexpr int purge_limit = 1000;
sql::statements purge();
/// Of each key its place, from 1, whether nobody has it, and the fencing token of whoever had it last.
sql::statement holders_among(const std::vector<std::string_view>& keys);

// Questions of users, as `sql::dialect` has them.
sql::statement look(std::string_view key);
sql::statement is_current(std::string_view key, std::int64_t fencing_token);
sql::statement take_away(std::string_view key, std::string_view token);
sql::statement list(std::string_view from, std::string_view end, std::size_t most);
sql::statement state(bool is_mysql);

} // namespace redlock::mariadb
