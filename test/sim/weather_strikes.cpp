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
    dice d(seed ^ 0x57204); // which leaves the worlds of failed_seeds.txt as they were
    if (!d.chance(0.6)) return;
    add_some(d, strikes.moments, 3, moment_count);
    add_some(d, strikes.deeds, 2, deed_count);
    const double probabilities[] = {0.01, 0.05, 0.05, 0.2};
    strikes.probability = d.one_of(probabilities);
    // Where one key is wanted by several.
    if (d.chance(0.6)) {
        keys = 1;
        clients = std::max(clients, 2u);
    }
    if (d.chance(0.3)) {
        fences = 0.95;
        time_of_day = 600s;
    }
    if (d.chance(0.2)) renews = 0;
    if (strikes.has(deed::crash_server) && d.chance(0.6)) {
        data_is_kept = false;
        if (clocks_are_bounded && d.chance(0.9)) config.restart_guard = longest_ttl;
    }
}

} // namespace redlock::sim
