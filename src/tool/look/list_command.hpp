#pragma once

#include "cli/command.hpp"

namespace redlock::tool {

/// `redlock list`
command list_command();

} // namespace redlock::tool
