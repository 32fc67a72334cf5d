#pragma once

#include "cli/command.hpp"

namespace redlock::tool {

/// `redlock watch KEY...`: who holds the keys, as it changes.
command watch_command();

} // namespace redlock::tool
