#pragma once

#include <cstddef>
#include <string>

namespace redlock::tool {

/// Which process this is, on which machine: `HOST:PID`, with as much of the host's name as leaves no more
/// than so many bytes.
std::string name_of_this_process(std::size_t most_bytes = 256);

} // namespace redlock::tool
