#include "contention/scenarios.hpp"

namespace bench {
namespace {

using redlock::wakeup;
using std::chrono::microseconds;
using std::chrono::milliseconds;

void add_npm(std::vector<scenario>& all, const char* name, std::size_t processes) {
    all.push_back({.name = name, .by = locker::npm, .contender = "npm redlock", .processes = processes});
    all.push_back({.name = name,
                   .by = locker::npm,
                   .contender = "npm redlock, retry delay 1 ms",
                   .processes = processes,
                   .retry_delay = milliseconds(1)});
}

/// One that knows of no queue, among those that stand in them.
void add_guests(std::vector<scenario>& all) {
    for (const auto& [delay, with] :
         {std::pair(milliseconds(1), "npm redlock, retry delay 1 ms"), {milliseconds(-1), "npm redlock"}})
        all.push_back({.name = guest_name,
                       .processes = 4,
                       .npm = 1,
                       .with = with,
                       .retry_delay = delay,
                       .duration = milliseconds(10'000)});
}

} // namespace

std::vector<scenario> all_scenarios(bool quick, bool with_npm) {
    std::vector<scenario> all;
    for (const wakeup how :
         {wakeup::automatic, wakeup::keyspace_events, wakeup::client_tracking, wakeup::timed})
        all.push_back({.name = handoff_name, .wakeup = how, .processes = 2});
    all.push_back({.name = "brief", .processes = 2, .hold = microseconds(300)});
    all.push_back({.name = "computing", .processes = 2, .computes = true});
    if (with_npm) add_npm(all, handoff_name, 2);
    for (const std::size_t processes : {2u, 4u, 8u, 16u, 32u})
        all.push_back({.name = crowd_name, .processes = processes});
    for (const wakeup how : {wakeup::client_tracking, wakeup::timed})
        all.push_back({.name = crowd_name, .wakeup = how, .processes = 8});
    if (with_npm) add_npm(all, crowd_name, 8);
    all.push_back({.name = "callers", .processes = 8, .callers = 200});
    all.push_back({.name = "popular", .processes = 8, .callers = 50, .keys = 1000});
    all.push_back({.name = local_name, .processes = 1, .callers = 10'000, .hold = microseconds(0)});
    if (with_npm) add_guests(all);
    if (quick)
        for (scenario& s : all)
            s.duration = milliseconds(1000);
    for (const auto& more : {kind_scenarios(quick), order_scenarios(quick)})
        all.insert(all.end(), more.begin(), more.end());
    return all;
}

} // namespace bench
