#pragma once

#include "local/local_engine.hpp"
#include "process/partner.hpp"

namespace redlock::tool {

/// The life of the process that keeps the servers: starts them, says `begin` with REDLOCK_NODES, ends them
/// after `ended` or when the supervisor is gone (then the command's group first), removes the folder, and
/// says `done`. The system kills them when this process dies. Messages for the user go to standard error.
void keep_nodes(channel& line, const local_engine& engine, const local_plan& plan);

} // namespace redlock::tool
