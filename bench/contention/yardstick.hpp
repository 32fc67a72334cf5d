#pragma once

#include <cstdint>
#include <vector>

namespace bench {

/// What the machine and the nodes need for the least there is to do, to hold everything else against.
struct yardstick {
    double cycle_p50_microseconds = 0; ///< the wire floor's lock and unlock, one in flight
    double cycle_p99_microseconds = 0;
    double ping_p50_microseconds = 0; ///< one PING to one node
};

/// A short look at the first of these alone.
double cycle_p50_microseconds(const std::vector<std::uint16_t>& ports);

yardstick measure_yardstick(const std::vector<std::uint16_t>& ports);

} // namespace bench
