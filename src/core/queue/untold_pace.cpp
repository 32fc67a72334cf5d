#include "core/queue/untold_pace.hpp"

#include "core/queue/queued_contender.hpp"
#include "core/validity.hpp"

#include <algorithm>

namespace redlock::core {

namespace {

constexpr int part_of_hold = 8;
constexpr unsigned looks_on_the_way = 4; // to the front
// Whoever is in front notices also a key that became free untold, on a majority, within a node timeout.
constexpr unsigned in_front = 4;
constexpr int looks_within_timeout = 4;
// Of one that holds the key and then takes it again, for it knows of nobody who waits. Such a one leaves it
// free for a round trip, and whoever has it then on a single node makes himself known.
constexpr nanoseconds watched_closely = std::chrono::seconds(1);
constexpr unsigned most_watched_closely = 8; // one that stands in no queue at all comes again and again
constexpr nanoseconds shortest_pause = std::chrono::microseconds(100);

} // namespace

void untold_pace::saw(std::uint64_t holder, unsigned ahead, instant now) noexcept {
    if (holder != holder_) {
        const bool was_first = since_ != instant::max() && ahead_ == 0 && ahead == 0;
        if (was_first && ++times_passed_over_ <= most_watched_closely) passed_over_ = now;
        holder_ = holder;
        since_ = now;
    }
    ahead_ = ahead;
}

nanoseconds untold_pace::longest_pause() const noexcept {
    return std::min(pause_in_queue(ahead_), life_ / shows_until_dead);
}

nanoseconds untold_pace::pause(nanoseconds round_trip, bool alone, instant now) const noexcept {
    const nanoseconds least = std::max(round_trip, shortest_pause);
    const bool closely = now < saturating_add(passed_over_, watched_closely);
    const nanoseconds held = since_ == instant::max() ? nanoseconds::zero() : now - since_;
    const nanoseconds one = closely ? least : std::max(least, held / part_of_hold);
    // Where many wait round trips are long, and longer than a key is held.
    const std::int64_t places = std::max(1u, (std::min(ahead_, 1000u) + 1) / looks_on_the_way);
    nanoseconds longest = longest_pause();
    if (alone && ahead_ < in_front) longest = std::min(longest, node_timeout_ / looks_within_timeout);
    return std::max(least, std::min(one > longest ? longest : one * places, longest));
}

} // namespace redlock::core
