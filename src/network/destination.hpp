#pragma once

#include <cstdint>
#include <string>

namespace redlock::network {

/// Where a stream leads: a server on the network, or a socket of this machine.
struct destination {
    std::string host; ///< a name, or an IP address in its canonical form without brackets
    std::uint16_t port = 0;
    std::string path{}; ///< of a Unix socket, which has neither of the two; empty otherwise

    bool is_unix_socket() const noexcept { return !path.empty(); }
};

} // namespace redlock::network
