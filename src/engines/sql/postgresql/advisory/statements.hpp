#pragma once

#include "engines/sql/session/statement.hpp"

#include <cstddef>
#include <string_view>

namespace redlock::postgresql::advisory {

/// Prepares what is sent for locks under the names that rows have, and with the same parameters and answers
/// (`batch`): so all else is the same for both. A key is the advisory lock of the first 64 bits of its
/// SHA-256.
sql::statements preparations();

/// Who has a key, if anybody: his process, when that began, what it is called, where it is; and how many
/// sessions wait.
sql::statement look(std::string_view key, std::size_t bucket);

} // namespace redlock::postgresql::advisory
