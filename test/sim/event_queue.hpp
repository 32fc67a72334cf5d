#pragma once

#include "sim/action.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace redlock::sim {

using std::chrono::nanoseconds;

/// What is to happen in a simulated world, in the order of its true time, which no clock in that world shows.
/// What is to happen at the same instant happens in the order in which it was asked for.
class event_queue {
public:
    /// Since the world began.
    nanoseconds now() const noexcept { return now_; }

    void at(nanoseconds when, action what);
    void after(nanoseconds delay, action what) { at(now_ + delay, std::move(what)); }

    /// Does the next; false when there is none.
    bool step();

    std::uint64_t steps() const noexcept { return steps_; }

private:
    struct event {
        nanoseconds when;
        std::uint64_t number;
        action what;
    };
    static bool later(const event& a, const event& b) noexcept {
        return a.when != b.when ? a.when > b.when : a.number > b.number;
    }

    nanoseconds now_{0};
    std::uint64_t numbers_ = 0;
    std::uint64_t steps_ = 0;
    std::vector<event> events_; ///< a heap
};

} // namespace redlock::sim
