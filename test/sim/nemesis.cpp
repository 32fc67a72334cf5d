#include "sim/nemesis.hpp"

#include <cmath>
#include <utility>

namespace redlock::sim {

void nemesis::start() {
    const weather& w = weather_;
    for (std::uint32_t c = 0; c < w.clients; ++c)
        if (dice_.chance(w.lasting_cuts)) victim_.cut(c, some_server(), true, true, w.length);
    plan(w.resets, [this](nanoseconds) { victim_.reset(some_client(), some_server()); });
    plan(w.cuts, [this](nanoseconds d) { cut(true, true, d); });
    plan(w.one_way_cuts, [this](nanoseconds d) {
        const bool there = dice_.chance(0.5);
        cut(there, !there, d);
    });
    plan(w.server_stops, [this](nanoseconds d) { victim_.stop_server(some_server(), d); });
    plan(w.server_crashes, [this](nanoseconds d) {
        const bool with_data = weather_.data_is_kept || dice_.chance(0.3);
        victim_.crash_server(some_server(), d, with_data);
    });
    plan(w.server_jumps,
         [this](nanoseconds d) { victim_.jump_server_clock(some_server(), dice_.chance(0.5) ? d : -d); });
    plan(w.client_stops, [this](nanoseconds d) { victim_.stop_client(some_client(), d); });
    plan(w.suspends, [this](nanoseconds d) { victim_.suspend_client(some_client(), d); });
    plan(w.client_deaths, [this](nanoseconds d) { victim_.kill_client(some_client(), d); });
    plan(w.client_ends, [this](nanoseconds d) { victim_.end_client(some_client(), d); });
}

// A whole client, a whole server, or a single way.
void nemesis::cut(bool there, bool back, nanoseconds how_long) {
    const int what = dice_.between(0, 3);
    const std::uint32_t client = some_client();
    const std::uint32_t server = some_server();
    for (std::uint32_t c = 0; c < weather_.clients; ++c)
        for (std::uint32_t s = 0; s < weather_.servers.size(); ++s)
            if ((what == 0 || c == client) && (what == 1 || s == server))
                victim_.cut(c, s, there, back, how_long);
}

void nemesis::plan(const fault& f, deed what) {
    if (f.per_second <= 0) return;
    const double u = static_cast<double>(dice_.seed() >> 11) * 0x1.0p-53;
    const double seconds = -std::log(1 - u) / f.per_second;
    const nanoseconds pause(static_cast<nanoseconds::rep>(seconds * 1e9));
    if (events_.now() + pause > weather_.length) return;
    events_.after(pause, [this, f, what = std::move(what)]() mutable {
        what(f.longest > nanoseconds(0) ? dice_.spread(f.longest / 1000, f.longest) : f.longest);
        plan(f, std::move(what));
    });
}

} // namespace redlock::sim
