#include "core/flow/low_water.hpp"

#include <algorithm>

namespace redlock::core {

namespace {

// With fewer there is little to gain.
constexpr double few = 64;
// No reply is shorter: `_` and the end of the line. So the mark is always reached, unless the server stops
// answering.
constexpr double bytes_of_reply = 3;
constexpr double part = 1.0 / 3;
constexpr std::size_t most = 4096;

} // namespace

std::size_t low_water_mark(std::size_t awaited, nanoseconds round_trip, nanoseconds network) noexcept {
    if (round_trip <= 2 * network) return 1;
    const double at_the_server =
        1 - 2 * static_cast<double>(network.count()) / static_cast<double>(round_trip.count());
    const double waiting = static_cast<double>(awaited) * at_the_server;
    if (waiting < few) return 1;
    return std::min(most, static_cast<std::size_t>(waiting * part * bytes_of_reply));
}

} // namespace redlock::core
