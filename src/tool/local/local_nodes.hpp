#pragma once

#include "process/partner.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace redlock::tool {

/// Throw-away nodes.
struct local_plan {
    std::uint64_t count = 5;
    std::string server = "redis-server";   ///< the program
    std::string folder{};                  ///< theirs alone; it exists, and is removed in the end
    std::vector<std::string> directives{}; ///< further lines for their configuration
};

/// The life of the process that keeps the nodes: starts them, says `begin` with REDLOCK_NODES, ends them
/// after `ended` or when the supervisor is gone (then the command's group first), removes the folder, and
/// says `done`. The system kills them when this process dies. Messages for the user go to standard error.
void keep_nodes(channel& line, const local_plan& plan);

} // namespace redlock::tool
