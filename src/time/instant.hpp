#pragma once

#include "core/instant.hpp"

#include <chrono>

namespace redlock::time {

/// The clock leases are measured with: CLOCK_BOOTTIME, which never jumps and runs on while the machine is
/// suspended. A lease that ran out during a suspend is therefore seen as expired on the first look after it.
struct lease_clock {
    using rep = core::instant::rep;
    using period = core::instant::period;
    using duration = core::instant::duration;
    using time_point = core::instant;
    static constexpr bool is_steady = true;

    static time_point now() noexcept;
};

using core::instant;

/// A place to read the time from, so that tests can run the same code on a virtual clock.
class time_source {
public:
    virtual instant now() const noexcept = 0;
    /// What the lease clock of this machine shows when this one shows that.
    virtual instant real(instant shown) const noexcept { return shown; }
    /// The time of day, which may jump and need not be that of other machines.
    virtual std::chrono::system_clock::time_point time_of_day() const noexcept {
        return std::chrono::system_clock::now();
    }

protected:
    ~time_source() = default;
};

/// The time source that reads `lease_clock`. Thread-safe.
const time_source& real_time() noexcept;

} // namespace redlock::time
