#pragma once

#include <chrono>

namespace redlock::time {

/// The clock leases are measured with: CLOCK_BOOTTIME, which never jumps and runs on while the machine is
/// suspended. A lease that ran out during a suspend is therefore seen as expired on the first look after it.
struct lease_clock {
    using rep = std::chrono::nanoseconds::rep;
    using period = std::chrono::nanoseconds::period;
    using duration = std::chrono::nanoseconds;
    using time_point = std::chrono::time_point<lease_clock>;
    static constexpr bool is_steady = true;

    static time_point now() noexcept;
};

using instant = lease_clock::time_point;

/// A place to read the time from, so that tests can run the same code on a virtual clock.
class time_source {
public:
    virtual instant now() const noexcept = 0;

protected:
    ~time_source() = default;
};

/// The time source that reads `lease_clock`. Thread-safe.
const time_source& real_time() noexcept;

} // namespace redlock::time
