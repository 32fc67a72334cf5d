#pragma once

#include "cli/command.hpp"

namespace redlock::tool {

/// `redlock leader NAME`: says who leads.
command leader_command();

} // namespace redlock::tool
