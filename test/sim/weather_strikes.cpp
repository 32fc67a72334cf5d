// What strikes at chosen moments. Drawn apart from all else, so that a world without any stays as it is.

#include "sim/dice.hpp"
#include "sim/weather.hpp"

#include <algorithm>

namespace redlock::sim {

namespace {

using namespace std::chrono_literals;

template <class T>
void add_some(dice& d, std::vector<T>& to, int most, int of) {
    const int wanted = d.between(1, most);
    for (int i = 0; i < wanted; ++i)
        if (const auto one = static_cast<T>(d.between(0, of - 1)); std::ranges::find(to, one) == to.end())
            to.push_back(one);
}

} // namespace

void weather::draw_strikes(std::uint64_t seed) {
    dice d(seed ^ 0x5729f); // which leaves the worlds of failed_seeds.txt as they were
    if (!d.chance(0.7)) return;
    add_some(d, strikes.moments, 3, moment_count);
    add_some(d, strikes.deeds, 3, deed_count);
    const double probabilities[] = {0.01, 0.05, 0.05, 0.2};
    strikes.probability = d.one_of(probabilities);
    // Where one key is wanted by several, and held for as long as it can be.
    if (d.chance(0.7)) {
        keys = 1;
        clients = std::max(clients, 2u);
    }
    if (d.chance(0.5)) holds_long = 0.5;
    if (d.chance(0.3)) renews = 0;
    if (d.chance(0.5)) draw_strikes_at_tokens(d);
    if (d.chance(0.3)) lasting_cuts = 0.7;
    if (strikes.has(deed::crash_server) && d.chance(0.6)) {
        data_is_kept = false;
        if (clocks_are_bounded && d.chance(0.9)) config.restart_guard = longest_ttl;
    }
}

// Clocks that are apart make tokens of one client lower than those of another.
void weather::draw_strikes_at_tokens(dice& d) {
    fences = 0.95;
    time_of_day = 600s;
    keys = 1;
    clients = std::max(clients, 3u);
    if (!strikes.has(moment::gets_token) && d.chance(0.7)) strikes.moments.push_back(moment::gets_token);
}

} // namespace redlock::sim
