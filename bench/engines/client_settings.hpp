#pragma once

#include <redlock/config.hpp>

#include <string>
#include <vector>

namespace bench::engines {

/// Of the clients that are measured: servers and clients share one small machine, where a server may be
/// without a processor for longer than suits one of its own.
inline redlock::config settings_of(const std::vector<std::string>& nodes) {
    redlock::config c;
    c.nodes = nodes;
    c.node_timeout = std::chrono::milliseconds(500);
    return c;
}

} // namespace bench::engines
