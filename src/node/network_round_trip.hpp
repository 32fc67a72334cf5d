#pragma once

#include <chrono>
#include <optional>

namespace redlock::node {

/// The shortest round trip of the last minutes over a TCP connection, between the two systems: without what
/// the server takes to answer (`tcpi_min_rtt` in Linux, tcp(7)). Nothing for other sockets and systems.
std::optional<std::chrono::nanoseconds> network_round_trip(int socket) noexcept;

} // namespace redlock::node
