#pragma once

#include "cli/command.hpp"

namespace redlock::tool {

/// `redlock elect NAME --value V -- COMMAND`: runs a command while it leads.
command elect_command();

} // namespace redlock::tool
