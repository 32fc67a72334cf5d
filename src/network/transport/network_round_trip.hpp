#pragma once

#include <chrono>
#include <optional>

namespace redlock::network {

/// The shortest round trip of the last minutes over a TCP connection, between the two systems: without what
/// the server takes to answer (`tcpi_min_rtt`, tcp(7)). Nothing for other sockets, and on systems other than
/// Linux 4.19 and later.
std::optional<std::chrono::nanoseconds> network_round_trip(int socket) noexcept;

} // namespace redlock::network
