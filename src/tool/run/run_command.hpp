#pragma once

#include "cli/command.hpp"

namespace redlock::tool {

/// `redlock run KEY -- COMMAND`: runs a command while it holds a lock.
command run_command();

} // namespace redlock::tool
