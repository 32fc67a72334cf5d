// Which worlds have users of other locks than a key for one holder, and what else is so in them. Drawn apart
// from all else, so that a world without any stays as it is.

#include "sim/dice.hpp"
#include "sim/weather.hpp"

#include <algorithm>

namespace redlock::sim {

namespace {

using namespace std::chrono_literals;

std::vector<lock_kind> kinds_of(std::uint64_t seed) {
    // None of which has a world of failed_seeds.txt.
    switch (seed % 11) {
    case 2:
    case 5:
        return {lock_kind::read_write};
    case 3:
        return {lock_kind::permits};
    case 4:
        return {lock_kind::set};
    case 8:
        return {lock_kind::owned, lock_kind::kept};
    case 10:
        return {lock_kind::read_write, lock_kind::permits, lock_kind::set, lock_kind::owned, lock_kind::kept};
    default:
        break;
    }
    switch (seed % 13) {
    case 2:
    case 5:
    case 7:
        return {lock_kind::lead};
    default:
        return {};
    }
}

} // namespace

bool weather::has(lock_kind k) const noexcept { return std::ranges::find(kinds, k) != kinds.end(); }

void weather::draw_kinds(std::uint64_t seed) {
    kinds = kinds_of(seed);
    if (kinds.empty()) return;
    dice d(seed ^ 0x61d5);
    other_kinds = 0.7;
    permits = static_cast<unsigned>(d.between(2, 4));
    reads = d.chance(0.5) ? 0.7 : 0.4;
    if (has(lock_kind::lead)) fences = 0.95; // a term is one
    while (clients * users < 4)
        ++(clients < 3 ? clients : users);
    // Nodes that come back with nothing, and a guard that keeps them from voting.
    if (!clocks_are_bounded || config.restart_guard > milliseconds(0) || !d.chance(0.4)) return;
    data_is_kept = false;
    config.restart_guard = longest_ttl;
    if (server_crashes.per_second == 0) server_crashes = {.per_second = 0.3, .longest = 1s};
}

void weather::break_guard() {
    if (data_is_kept) return;
    config.restart_guard = milliseconds(0);
    guard_is_broken = true;
}

} // namespace redlock::sim
