#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <random>

namespace redlock::tool {

/// When attempts are to begin in an open loop, whether or not those before have ended. Not thread-safe.
class arrival_schedule {
public:
    using time_point = std::chrono::steady_clock::time_point;

    /// `rate` attempts a second on average; the first one is due after a gap. With `poisson` the gaps are
    /// exponentially distributed, else all the same.
    arrival_schedule(time_point begin, double rate, bool poisson, std::uint64_t seed);

    time_point next();

private:
    time_point begin_;
    double rate_;
    bool poisson_;
    std::mt19937_64 random_;
    double gaps_ = 0; ///< passed so far, in mean gaps
};

/// Attempts that are due wait here, in order, for somebody who is free to make them. Not thread-safe.
class arrival_queue {
public:
    using time_point = arrival_schedule::time_point;

    /// At most `limit` attempts wait; those that become due while so many do are dropped.
    arrival_queue(arrival_schedule schedule, std::size_t limit);

    /// When the next attempt of all was to begin: in the past for one that had to wait, else in the future.
    /// It is taken, so whoever calls must make it, at that time and not before.
    time_point take(time_point now);

    /// Takes in what has become due.
    void advance(time_point now);

    std::size_t waiting() const noexcept { return due_.size(); }
    std::uint64_t dropped() const noexcept { return dropped_; }

private:
    arrival_schedule schedule_;
    std::size_t limit_;
    time_point next_;
    std::deque<time_point> due_;
    std::uint64_t dropped_ = 0;
};

} // namespace redlock::tool
