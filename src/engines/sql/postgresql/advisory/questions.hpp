#pragma once

#include "engines/sql/answer.hpp"

#include <redlock/key_report.hpp>

namespace redlock::postgresql::advisory {

/// What `look` has found: the process that has the key, and when it began; what it is called, and where it
/// is.
void read_look(const sql::answer::row& row, node_key_report& told);

} // namespace redlock::postgresql::advisory
