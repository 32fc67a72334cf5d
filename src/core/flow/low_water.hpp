#pragma once

#include "core/instant.hpp"

#include <cstddef>

namespace redlock::core {

/// From how many bytes of replies on it is worth waking up for a connection on which so many replies are
/// awaited; 1: for any.
///
/// A server that is asked for more than it does at once keeps most of the requests waiting: whatever a round
/// trip takes beyond the `network` is spent there (Little, "A Proof for the Queuing Formula L = λW", 1961,
/// says how many wait). Whoever reads each reply as it comes then falls asleep and wakes up for a few of them
/// each time, which costs more than they do. So the client leaves them until about a third of those that wait
/// have been answered. The server has two thirds to go on with meanwhile, and is never idle for it. Where the
/// network is what takes the time, and where few replies are awaited, nothing is left unread.
std::size_t low_water_mark(std::size_t awaited, nanoseconds round_trip, nanoseconds network) noexcept;

} // namespace redlock::core
