#pragma once

#include "core/instant.hpp"

#include <algorithm>
#include <chrono>

namespace redlock::core {

/// No command is given up before a client is that old: names are resolved, and two to four round trips go by,
/// before it is connected.
inline constexpr nanoseconds first_connection_time = std::chrono::milliseconds(250);

/// How long a command may take where `round_trip` is the least time to a majority of the nodes and back, and
/// `configured` is what suits near ones. Of a burst that is new to a connection a window of ten segments is
/// sent at first, and twice as much after each round trip (RFC 6928, RFC 5681): a thousand commands take
/// five. Bounded, for it is what waiting for a dead node takes.
constexpr nanoseconds command_time(nanoseconds configured, nanoseconds round_trip) noexcept {
    constexpr nanoseconds longest = std::chrono::seconds(1);
    return std::max(configured, std::min(longest, 8 * std::min(round_trip, longest)));
}

} // namespace redlock::core
