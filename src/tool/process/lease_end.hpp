#pragma once

#include <atomic>
#include <chrono>
#include <limits>

namespace redlock::tool {

/// The clock that a lease goes by: CLOCK_BOOTTIME, which runs on while the machine is suspended.
struct boot_clock {
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<boot_clock>;
    static constexpr bool is_steady = true;
    static time_point now() noexcept;
};

/// When the lease ends unless it is renewed, in memory that a process shares with those it forks: the one
/// that renews writes it, the one that looks after the command reads it, whatever became of the other.
class lease_end {
public:
    /// Never, until it is set. Throws `std::system_error`.
    lease_end();
    lease_end(const lease_end&) = delete;
    lease_end& operator=(const lease_end&) = delete;
    ~lease_end();

    void set(boot_clock::time_point end) noexcept { shared_->store(end.time_since_epoch().count()); }
    boot_clock::time_point get() const noexcept {
        return boot_clock::time_point(boot_clock::duration(shared_->load()));
    }

private:
    using number = std::atomic<boot_clock::rep>;
    static_assert(number::is_always_lock_free, "it is shared by processes");

    number* shared_;
};

} // namespace redlock::tool
