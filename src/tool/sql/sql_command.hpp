#pragma once

#include "cli/command.hpp"

namespace redlock::tool {

/// `redlock sql`: what a database needs for locks.
command sql_command();

} // namespace redlock::tool
