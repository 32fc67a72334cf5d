#pragma once

#include "cli/command.hpp"

namespace redlock::tool {

/// `redlock local`: throw-away nodes for a command, or until Ctrl-C.
command local_command();

} // namespace redlock::tool
