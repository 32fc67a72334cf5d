#pragma once

#include <chrono>

namespace redlock::core {

/// The tag of the time line that leases are measured on. It has no `now()`: the core is told the time.
struct lease_time {
    using rep = std::chrono::nanoseconds::rep;
    using period = std::chrono::nanoseconds::period;
    using duration = std::chrono::nanoseconds;
};

using instant = std::chrono::time_point<lease_time, std::chrono::nanoseconds>;
using std::chrono::nanoseconds;

} // namespace redlock::core
