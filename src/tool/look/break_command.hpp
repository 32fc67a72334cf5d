#pragma once

#include "cli/command.hpp"

namespace redlock::tool {

/// Takes a lock away from its holder.
command break_command();

} // namespace redlock::tool
