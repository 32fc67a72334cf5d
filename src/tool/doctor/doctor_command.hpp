#pragma once

#include "cli/command.hpp"

namespace redlock::tool {

/// Says whether the nodes are fit to hold locks.
command doctor_command();

} // namespace redlock::tool
