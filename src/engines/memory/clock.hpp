#pragma once

#include "core/validity.hpp"
#include "time/instant.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>

namespace redlock::memory {

/// The lease clock, put forward by as much time as a test has let pass. Thread-safe.
class clock final : public time::time_source {
public:
    time::instant now() const noexcept override { return time::real_time().now() + ahead(); }
    time::instant real(time::instant shown) const noexcept override {
        return shown == time::instant::max() ? shown : core::saturating_add(shown, -ahead());
    }
    /// By one at a time. Stops where time would end.
    void put_forward(std::chrono::milliseconds by) noexcept {
        using std::chrono::milliseconds;
        const auto most = std::chrono::duration_cast<milliseconds>(furthest - ahead());
        const std::chrono::nanoseconds more = std::clamp(by, milliseconds(0), most);
        ahead_.store((ahead() + more).count(), std::memory_order_relaxed);
    }

private:
    // With the longest life of a lease behind it, and some years of the machine before.
    static constexpr std::chrono::nanoseconds furthest = std::chrono::years(200);

    std::chrono::nanoseconds ahead() const noexcept {
        return std::chrono::nanoseconds(ahead_.load(std::memory_order_relaxed));
    }

    std::atomic<std::chrono::nanoseconds::rep> ahead_{0};
};

} // namespace redlock::memory
