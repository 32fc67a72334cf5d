#include "sim/nemesis.hpp"

#include <cmath>
#include <string>
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
    plan(w.blindness, [this](nanoseconds d) { victim_.blind(some_client(), d); });
    // Some of the time of so many that the others are no majority.
    const auto at_several = [this](void (victim::*what)(std::uint32_t)) {
        const std::uint32_t first = some_server();
        const int others = dice_.chance(0.6) ? servers() / 2 : 0;
        for (int i = 0; i <= others; ++i)
            (victim_.*what)((first + static_cast<std::uint32_t>(i)) % static_cast<std::uint32_t>(servers()));
    };
    plan(w.fail_overs, [at_several](nanoseconds) { at_several(&victim::fail_over); });
    plan(w.seizures, [at_several](nanoseconds) { at_several(&victim::give_slots_away); });
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

void nemesis::plan(const fault& f, misfortune what) {
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

void nemesis::comes(const occasion& now) {
    const strikes& s = weather_.strikes;
    if (s.probability <= 0 || events_.now() > weather_.length || !s.has(now.at)) return;
    if (!dice_.chance(s.probability)) return;
    events_.after(dice_.spread(nanoseconds(1), 2 * weather_.network.latency), [this, now] { strike(now); });
}

void nemesis::strike(const occasion& at) {
    const deed what = weather_.strikes.deeds[static_cast<std::size_t>(
        dice_.between(0, static_cast<int>(weather_.strikes.deeds.size()) - 1))];
    const nanoseconds timeout = weather_.config.node_timeout;
    switch (what) {
    case deed::reset_connection:
        return victim_.reset(at.client, at.server);
    case deed::cut_both_ways:
        return victim_.cut(at.client, at.server, true, true, about(2 * timeout));
    case deed::cut_one_way: {
        const bool there = dice_.chance(0.5);
        return victim_.cut(at.client, at.server, there, !there, about(2 * timeout));
    }
    case deed::stop_server:
        return victim_.stop_server(at.server, about(dice_.chance(0.5) ? timeout : weather_.shortest_ttl));
    case deed::crash_server: {
        const bool with_data = weather_.data_is_kept || dice_.chance(0.2);
        const nanoseconds away = dice_.spread(std::chrono::microseconds(100), weather_.shortest_ttl / 4);
        // Some of the time so many that the others are no majority.
        const int others = dice_.chance(0.3) ? servers() / 2 : 0;
        for (int i = 0; i <= others; ++i)
            victim_.crash_server((at.server + static_cast<std::uint32_t>(i)) %
                                     static_cast<std::uint32_t>(servers()),
                                 away, with_data);
        // Who comes back late finds a server that has been up for about as long as the guard is.
        if (dice_.chance(0.5))
            victim_.cut(at.client, at.server, true, true, away + about(weather_.longest_ttl));
        return;
    }
    case deed::stop_client:
        return victim_.stop_client(at.client, about(weather_.shortest_ttl));
    case deed::suspend_client:
        return victim_.suspend_client(at.client, about(weather_.shortest_ttl));
    case deed::kill_client:
        return victim_.kill_client(at.client,
                                   dice_.spread(std::chrono::microseconds(100), weather_.longest_ttl));
    case deed::nudge_clock:
        // One at a time for each key that lives: two add up.
        if (events_.now() - nudged_at_ < 3 * nanoseconds(weather_.longest_ttl)) return;
        nudged_at_ = events_.now();
        return victim_.jump_server_clock(at.server, std::chrono::microseconds(dice_.between(-1500, 1500)));
    case deed::overwrite:
    case deed::prolong:
    case deed::remove:
        return tamper(what, at);
    }
}

// What a third party leaves lives longer than any lease that had the key before, and is gone at the end.
void nemesis::tamper(deed what, const occasion& at) {
    const std::string life = std::to_string((2 * weather_.longest_ttl).count());
    if (what == deed::remove) return victim_.tamper(at.server, {"DEL", at.key});
    if (what == deed::prolong) return victim_.tamper(at.server, {"PEXPIRE", at.key, life});
    victim_.tamper(at.server, {"SET", at.key, "of-somebody-else", "PX", life});
}

} // namespace redlock::sim
