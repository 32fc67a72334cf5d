#include "contention/scenarios.hpp"

#include <algorithm>

namespace bench {
namespace {

using redlock::wakeup;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

// Of a hand-over, to guess how long a round takes.
constexpr microseconds handover_guess{300};

microseconds round_of(const scenario& s) { return s.processes * s.callers * (s.hold + handover_guess); }

/// Some twenty rounds of all callers, ten of slow ones.
milliseconds duration_of(const scenario& s, bool quick) {
    const auto rounds = [&](int count) { return std::chrono::ceil<milliseconds>(count * round_of(s)); };
    if (quick) return std::clamp<milliseconds>(rounds(6), milliseconds(500), milliseconds(1500));
    return std::clamp<milliseconds>(rounds(20), seconds(1), std::max<milliseconds>(seconds(4), rounds(10)));
}

void add_grid(std::vector<scenario>& all, bool quick) {
    const std::vector<std::size_t> processes =
        quick ? std::vector<std::size_t>{2, 8, 32} : std::vector<std::size_t>{2, 4, 8, 16, 32};
    const std::vector<int> holds = quick ? std::vector{0, 1000, 10'000, 100'000}
                                         : std::vector{0, 100, 300, 1000, 3000, 10'000, 30'000, 100'000};
    for (const std::size_t count : processes)
        for (const int hold : holds)
            if (!quick || count * static_cast<std::size_t>(hold) < 1'000'000)
                all.push_back({.name = order_name, .processes = count, .hold = microseconds(hold)});
}

void add_many_callers(std::vector<scenario>& all, bool quick) {
    for (const auto& [processes, hold] :
         {std::pair(8, 1000), {2, 0}, {2, 1000}, {8, 0}, {32, 100}, {4, 10'000}})
        if (!quick || processes == 8)
            all.push_back({.name = order_name,
                           .processes = static_cast<std::size_t>(processes),
                           .callers = 50,
                           .hold = microseconds(hold),
                           .with = "50 callers in each"});
}

void add_disturbed(std::vector<scenario>& all, bool quick) {
    for (const auto& [processes, hold] : {std::pair(8, 1000), {2, 1000}, {4, 30'000}, {16, 0}, {32, 3000}}) {
        if (quick && processes != 8) continue;
        scenario s{
            .name = order_name, .processes = static_cast<std::size_t>(processes), .hold = microseconds(hold)};
        const auto add = [&](const char* with, auto change) {
            scenario changed = s;
            changed.with = with;
            change(changed);
            all.push_back(changed);
        };
        add("late comers", [](scenario& c) { c.late = true; });
        add("a third cancels", [](scenario& c) {
            c.cancels = 1.0 / 3;
            c.patience = 2 * round_of(c);
        });
        // A wait that a dead process can cause is to be far below the time that is measured.
        add("a waiter killed", [](scenario& c) {
            c.fault = fault::kill;
            c.ttl = seconds(1);
        });
        add("a waiter stopped", [](scenario& c) {
            c.fault = fault::stop;
            c.ttl = seconds(1);
        });
    }
}

void add_wakeups(std::vector<scenario>& all, bool quick) {
    for (const wakeup how : {wakeup::keyspace_events, wakeup::client_tracking, wakeup::timed})
        for (const auto& [processes, hold] : {std::pair(8, 1000),
                                              {2, 1000},
                                              {8, 10'000},
                                              {32, 1000},
                                              {2, 0},
                                              {8, 0},
                                              {4, 10'000},
                                              {2, 100'000},
                                              {8, 100'000}})
            if (!quick || (processes == 8 && hold == 1000))
                all.push_back({.name = order_name,
                               .wakeup = how,
                               .processes = static_cast<std::size_t>(processes),
                               .hold = microseconds(hold)});
}

} // namespace

std::vector<scenario> order_scenarios(bool quick) {
    std::vector<scenario> all;
    add_grid(all, quick);
    add_many_callers(all, quick);
    add_disturbed(all, quick);
    add_wakeups(all, quick);
    for (scenario& s : all) {
        s.duration = duration_of(s, quick);
        // Both thirds of it longer than what one that died or stopped may cost the others.
        if (s.fault != fault::none) s.duration = std::max<milliseconds>(s.duration, seconds(quick ? 3 : 4));
        if (s.cancels > 0 && !quick)
            s.duration =
                std::max<milliseconds>(s.duration, 100 * std::chrono::ceil<milliseconds>(round_of(s)));
    }
    return all;
}

} // namespace bench
