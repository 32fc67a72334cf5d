// How locks bear distances: nodes in a network that delays, loses and holds up packets, by the default
// configuration.
//   distance_bench [--quick] [--only WORDS] [--check]
// Ends with 77 where such a network cannot be made, and says why.

#include "distance/journey.hpp"
#include "distance/scenario.hpp"
#include "interruption.hpp"
#include "support/redis_server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace bench {
namespace {

using redlock::test::distant_network;
using redlock::test::redis_server;
using namespace std::chrono_literals;

constexpr int cannot_be_made = 77;

struct distance_options {
    bool quick = false;
    bool check = false;
    std::string only;
};

distance_options parse_distance_options(int count, char** words) {
    distance_options o;
    for (int i = 1; i < count; ++i) {
        const std::string_view word = words[i];
        if (word == "--quick")
            o.quick = true;
        else if (word == "--check")
            o.check = true;
        else if (word == "--only" && i + 1 < count)
            o.only = words[++i];
        else
            throw std::invalid_argument("usage: distance_bench [--quick] [--only WORDS] [--check]");
    }
    return o;
}

double ratio(nanoseconds a, nanoseconds b) {
    return static_cast<double>(a.count()) / static_cast<double>(b.count());
}

double in_trips(nanoseconds time, const journey& j) { return ratio(time, j.majority_trip); }

double milliseconds_of(nanoseconds time) { return std::chrono::duration<double, std::milli>(time).count(); }

/// Where the bytes take a part of it: of one in flight, beside a round trip with the same bytes.
void print_slow_link(const journey& j) {
    fmt::print(
        "  with the bytes of a lock the trip is {:.2f} ms, and with those that give it back {:.2f} ms: lock "
        "p50 {:.2f}, both {:.2f}\n",
        milliseconds_of(j.lock_trip), milliseconds_of(j.unlock_trip),
        ratio(percentile(j.locks, 50), j.lock_trip),
        2 * ratio(percentile(j.pairs, 50), j.lock_trip + j.unlock_trip));
    std::fflush(stdout);
}

/// Where what the servers and the client do takes a part of it: beside PINGs that go to all at once.
void print_near_nodes(const journey& j) {
    fmt::print(
        "  of PINGs to all five at once a third answer is there after {:.2f} ms: lock p50 {:.2f}, both "
        "{:.2f}\n",
        milliseconds_of(j.shared_trip), ratio(percentile(j.locks, 50), j.shared_trip),
        ratio(percentile(j.pairs, 50), j.shared_trip));
    fmt::print("  of a bare loop that sends the commands of the library: lock p50 {:.2f}, both {:.2f}\n",
               ratio(percentile(j.locks, 50), j.floor.lock), ratio(percentile(j.pairs, 50), j.floor.pair));
    std::fflush(stdout);
}

bool is_near(const journey& j) { return j.majority_trip < 4ms; }

journey measure(const distance_scenario& s, bool quick) {
    distant_network network(s.ways);
    std::deque<redis_server> servers;
    traveller t{.nodes = {}, .times = quick ? 60u : 200u, .load_time = quick ? 1500ms : 5000ms};
    std::vector<nanoseconds> trips;
    std::vector<nanoseconds> locks;
    std::vector<nanoseconds> unlocks;
    std::vector<place> places;
    {
        const distant_network::among_servers here(network);
        for (std::size_t i = 0; i < network.size(); ++i)
            servers.emplace_back(
                redlock::test::redis_options{.directives = {"bind " + network.address(i), "protected-mode no",
                                                            "notify-keyspace-events Kgxe"}});
    }
    for (std::size_t i = 0; i < network.size(); ++i) {
        t.nodes.push_back(fmt::format("redis://{}:{}", network.address(i), servers[i].port()));
        places.push_back({network.address(i), servers[i].port()});
        trips.push_back(ping_trip(network.address(i), servers[i].port(), 25));
        const auto [lock, unlock] =
            trips_of_lock(network.address(i), servers[i].port(), servers[i].version(), 25);
        locks.push_back(lock);
        unlocks.push_back(unlock);
    }
    journey j;
    j.majority_trip = percentile(trips, 50);
    j.shared_trip = shared_ping_trip(places, 25);
    j.floor = floor_of_lock(places, servers.front().version(), t.times);
    j.lock_trip = percentile(locks, 50);
    j.unlock_trip = percentile(unlocks, 50);
    if (s.answers_are_lost)
        for (const std::size_t way : {3u, 4u})
            network.cut(way, false, true);
    t.lock_alone(j);
    t.hand_over(j);
    t.load(j);
    if (s.counts_losses) t.hold(j, 100, quick ? 8s : 30s);
    return j;
}

void print(const distance_scenario& s, const journey& j) {
    fmt::print("{:22} {:8.2f} {:8.2f} {:8.2f} {:8.2f} {:9.2f} {:9.2f} {:9.0f} {:9} {:>9}\n", s.name,
               milliseconds_of(j.majority_trip), in_trips(percentile(j.locks, 50), j),
               in_trips(percentile(j.locks, 99), j), in_trips(percentile(j.pairs, 50), j),
               in_trips(percentile(j.handoffs, 50), j), in_trips(percentile(j.handoffs, 90), j),
               j.cycles_a_second, j.failures, s.counts_losses ? fmt::format("{} of {}", j.lost, j.held) : "");
    std::fflush(stdout);
}

/// Where a scheduling delay of this process is little beside a round trip.
bool keeps_limits(const distance_scenario& s, const journey& j) {
    bool all = true;
    const auto expect = [&](const char* what, double is, double most) {
        if (is <= most) return;
        all = false;
        fmt::print("FAIL  {}: {}: {:.2f} (at most {})\n", s.name, what, is, most);
    };
    if (s.is_slow()) {
        expect("lock at one in flight, in round trips of its bytes",
               ratio(percentile(j.locks, 50), j.lock_trip), 1.1);
        expect("lock and unlock, in round trips of their bytes",
               2 * ratio(percentile(j.pairs, 50), j.lock_trip + j.unlock_trip), 2.1);
    } else if (is_near(j)) {
        expect("lock, beside a bare loop", ratio(percentile(j.locks, 50), j.floor.lock), 1.1);
        expect("lock and unlock, beside a bare loop", ratio(percentile(j.pairs, 50), j.floor.pair), 1.1);
    } else {
        expect("lock at one in flight, in round trips", in_trips(percentile(j.locks, 50), j), 1.1);
        expect("lock and unlock, in round trips", in_trips(percentile(j.pairs, 50), j), 2.1);
    }
    expect("leases lost", static_cast<double>(j.lost), 0);
    return all;
}

int measure_distances(const distance_options& o) {
    fmt::print("{:22} {:>8} {:>8} {:>8} {:>8} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "nodes", "trip ms",
               "lock p50", "lock p99", "both p50", "hand p50", "hand p90", "cycles/s", "failures", "lost");
    bool all = true;
    for (const distance_scenario& s : distance_scenarios()) {
        if (s.name.find(o.only) == std::string::npos) continue;
        const journey j = measure(s, o.quick);
        print(s, j);
        if (s.is_slow()) print_slow_link(j);
        if (is_near(j)) print_near_nodes(j);
        all = keeps_limits(s, j) && all;
    }
    fmt::print(
        "lock, both and hand: in round trips to the third of five nodes; cycles/s: with 1024 in flight\n");
    return all || !o.check ? 0 : 1;
}

} // namespace
} // namespace bench

int main(int count, char** words) try {
    return bench::measure_distances(bench::parse_distance_options(count, words));
} catch (const redlock::test::no_network& e) {
    fmt::print("No network can be made here: {}\n", e.what());
    return bench::cannot_be_made;
} catch (const std::exception& e) {
    fmt::print(stderr, "distance_bench: {}\n", e.what());
    return 1;
}
