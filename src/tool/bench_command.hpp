#pragma once

#include "command.hpp"

namespace redlock::tool {

/// `redlock bench`
command bench_command();

} // namespace redlock::tool
