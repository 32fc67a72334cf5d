#pragma once

#include <chrono>

namespace redlock::core {

/// What a round trip to a server takes when nobody keeps the answer waiting. An executor that is busy with
/// something else reads its answers late, and that says nothing about how soon others are served: the
/// estimate sinks quickly and rises slowly.
class usual_round_trip {
public:
    using nanoseconds = std::chrono::nanoseconds;

    void add(nanoseconds sample) noexcept {
        const nanoseconds difference = sample - estimate_;
        estimate_ += empty_ ? difference : difference / (difference.count() < 0 ? 8 : 64);
        empty_ = false;
    }

    /// 0 before the first sample.
    nanoseconds estimate() const noexcept { return estimate_; }

private:
    nanoseconds estimate_{0};
    bool empty_ = true;
};

} // namespace redlock::core
