#pragma once

#include "time/instant.hpp"

#include <atomic>
#include <chrono>

namespace redlock::memory {

/// The lease clock, put forward by as much time as a test has let pass. Thread-safe.
class clock final : public time::time_source {
public:
    time::instant now() const noexcept override { return time::real_time().now() + ahead(); }
    time::instant real(time::instant shown) const noexcept override {
        return shown == time::instant::max() ? shown : shown - ahead();
    }
    void put_forward(std::chrono::milliseconds by) noexcept {
        ahead_.fetch_add(std::chrono::nanoseconds(by).count(), std::memory_order_relaxed);
    }

private:
    std::chrono::nanoseconds ahead() const noexcept {
        return std::chrono::nanoseconds(ahead_.load(std::memory_order_relaxed));
    }

    std::atomic<std::chrono::nanoseconds::rep> ahead_{0};
};

} // namespace redlock::memory
