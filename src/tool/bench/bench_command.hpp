#pragma once

#include "cli/command.hpp"

namespace redlock::tool {

/// `redlock bench`
command bench_command();

} // namespace redlock::tool
