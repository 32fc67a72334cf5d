#pragma once

#include "cli/command.hpp"

namespace redlock::tool {

/// `redlock inspect KEY`: who holds it, as every node sees it.
command inspect_command();

} // namespace redlock::tool
