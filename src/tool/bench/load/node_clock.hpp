#pragma once

#include <chrono>

namespace redlock::tool {

/// For how long a node was up, from the news that it is or is not any more. Not thread-safe.
class node_clock {
public:
    using time_point = std::chrono::steady_clock::time_point;

    node_clock(bool up, time_point now) noexcept : up_(up), changed_(now), told_(now) {}

    void change(bool up, time_point now) noexcept {
        if (up_) so_far_ += now - changed_;
        up_ = up;
        changed_ = now;
    }

    struct share {
        std::chrono::nanoseconds up;
        std::chrono::nanoseconds watched;
    };

    /// For how long it was up since the last call, or since the beginning, and how long ago that was.
    share take(time_point now) noexcept {
        change(up_, now);
        const share result{so_far_, now - told_};
        so_far_ = {};
        told_ = now;
        return result;
    }

private:
    bool up_;
    time_point changed_;
    time_point told_;
    std::chrono::nanoseconds so_far_{0};
};

} // namespace redlock::tool
