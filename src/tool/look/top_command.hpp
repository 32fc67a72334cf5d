#pragma once

#include "cli/command.hpp"

namespace redlock::tool {

/// `redlock top`: all keys and nodes, as they change.
command top_command();

} // namespace redlock::tool
