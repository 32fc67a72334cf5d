#include "sim/clock.hpp"

#include <algorithm>

namespace redlock::sim {

void clock::set(time::instant shown, std::int64_t faster) noexcept {
    since_ = events_.now();
    shown_ = shown;
    faster_ = faster;
}

std::chrono::system_clock::time_point clock::time_of_day() const noexcept {
    constexpr std::chrono::hours beginning{500'000};
    return std::chrono::system_clock::time_point(beginning + events_.now() + ahead_);
}

nanoseconds clock::when(time::instant at) const noexcept {
    using std::chrono::hours;
    const time::instant present = now();
    if (at <= present) return events_.now();
    // Far from any overflow; whoever waits for longer asks again.
    const nanoseconds left = std::min<nanoseconds>(at - present, hours(1));
    nanoseconds passed = left * 1'000'000 / (1'000'000 + faster_);
    while (shown(events_.now() - since_ + passed) < shown(events_.now() - since_) + left)
        ++passed;
    return events_.now() + passed;
}

} // namespace redlock::sim
