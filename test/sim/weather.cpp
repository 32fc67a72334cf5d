#include "sim/weather.hpp"

#include "sim/dice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace redlock::sim {

namespace {

using namespace std::chrono_literals;

server_build draw_server(dice& d, bool all_speak_resp3, nanoseconds lag) {
    server_build build;
    const int kind = d.between(0, 9);
    if (kind == 0) build.version = "6.2.14";
    if (kind == 1) build.version = "8.4.0";
    if (kind == 2) build = {.product = "valkey", .version = "9.0.1", .flags = {}};
    build.speaks_resp3 = all_speak_resp3 || d.chance(0.5);
    build.expiry_lag = lag;
    if (d.chance(0.7)) build.flags = d.chance(0.5) ? "KEA" : "Kgxe";
    return build;
}

std::vector<int> numbers_of(const std::vector<wakeup>& all) {
    std::vector<int> numbers;
    for (const wakeup each : all)
        numbers.push_back(static_cast<int>(each));
    return numbers;
}

/// None at all, few, or many.
fault draw_fault(dice& d, double storm, double often, nanoseconds longest) {
    if (storm == 0 || d.chance(0.5)) return {};
    return {.per_second = storm * often * (d.chance(0.5) ? 1 : 0.25), .longest = longest};
}

} // namespace

weather::weather(std::uint64_t seed) {
    dice d(seed);
    const unsigned sizes[] = {3, 3, 3, 5, 5, 4, 1};
    const bool resp3 = d.chance(0.85);
    const nanoseconds lags[] = {0ms, 100ms, 100ms, 60s};
    const nanoseconds lag = d.one_of(lags);
    const unsigned count = d.one_of(sizes);
    for (unsigned i = 0; i < count; ++i)
        servers.push_back(draw_server(d, resp3, lag));
    clients = static_cast<unsigned>(d.between(1, 4));
    users = static_cast<unsigned>(d.between(1, 3));
    keys = static_cast<unsigned>(d.between(1, 2));
    length = d.between(4s, 10s);

    network.latency = d.spread(50us, 15ms);
    network.jitter = d.spread(10us, 2ms);
    network.tail = d.chance(0.5) ? 0 : 0.01 + 0.04 * (d.chance(0.3) ? 1 : 0);
    const double storms[] = {0, 0.3, 1, 1, 3};
    const double storm = d.one_of(storms);
    network.loss = storm == 0 || d.chance(0.5) ? 0 : 0.002 * storm;
    network.resent_after = d.spread(20ms, 300ms);

    const nanoseconds timeout = std::max<nanoseconds>(d.spread(5ms, 200ms), 6 * network.latency);
    config.node_timeout = std::chrono::ceil<milliseconds>(timeout);
    const redlock::wakeup modes[] = {wakeup::automatic, wakeup::automatic, wakeup::keyspace_events,
                                     wakeup::client_tracking, wakeup::timed};
    config.wakeup = d.one_of(modes);
    config.configure_servers = d.chance(0.2);
    config.handoff_limit = d.chance(0.3) ? static_cast<unsigned>(d.between(1, 4)) : 64;
    config.max_inflight = d.chance(0.1) ? 1 : 1024;
    if (d.chance(0.3)) config.key_prefix = "app:";
    shortest_ttl = std::chrono::ceil<milliseconds>(d.spread(std::max<nanoseconds>(60ms, 2 * timeout), 1s));
    longest_ttl = shortest_ttl * d.between(1, 4);
    longest_hold = d.spread(1ms, 2 * longest_ttl);
    longest_pause = d.spread(1ms, 500ms);
    renews = d.chance(0.3) ? 0 : 0.8;
    waits = d.chance(0.2) ? 0.2 : 0.9;
    cancels = d.chance(0.5) ? 0 : 0.3;
    delays_lock = d.chance(0.7) ? 0 : 0.5;

    fences = d.chance(0.5) ? 0 : 0.95;
    const nanoseconds differences[] = {0s, 10ms, 600s, 600s};
    time_of_day = d.one_of(differences);

    drift = d.between(0, 4000);
    if (d.chance(0.05)) {
        drift = 30'000;
        clocks_are_bounded = false;
    }
    resets = draw_fault(d, storm, 2, 0s);
    lasting_cuts = storm == 0 || d.chance(0.6) ? 0 : 0.7;
    cuts = draw_fault(d, storm, 0.7, 2s);
    one_way_cuts = draw_fault(d, storm, 0.7, 2s);
    server_stops = draw_fault(d, storm, 0.7, 2s);
    server_crashes = draw_fault(d, storm, 0.4, 1s);
    client_stops = draw_fault(d, storm, 0.5, 2 * longest_ttl);
    client_deaths = draw_fault(d, storm, 0.3, 500ms);
    client_ends = draw_fault(d, storm, 0.2, 500ms);
    suspends = draw_fault(d, storm, 0.2, 2 * longest_ttl);
    if (server_crashes.per_second > 0 && d.chance(0.4)) data_is_kept = false;
    // The largest ttl together with the largest lock delay.
    // A guard takes clocks beyond all bounds for jumping ones, and lets nobody vote.
    if (clocks_are_bounded && d.chance(data_is_kept ? 0.1 : 0.8)) config.restart_guard = longest_ttl;
    if (d.chance(0.05)) {
        server_jumps = draw_fault(d, storm, 0.5, longest_ttl);
        clocks_are_bounded = clocks_are_bounded && server_jumps.per_second == 0;
    }
    draw_order(seed);
    draw_strikes(seed);
    draw_groups(seed);
    draw_clusters(seed);
    draw_kinds(seed);
}

// Apart from all else, as strikes are. Those who are told that they have a key, and those who are not, meet
// at the same keys.
void weather::draw_order(std::uint64_t seed) {
    dice d(seed ^ 0x0bde2);
    wakeups = {config.wakeup};
    if (d.chance(0.4))
        wakeups = {wakeup::automatic, wakeup::timed, wakeup::keyspace_events, wakeup::client_tracking};
    if (!d.chance(0.25)) return;
    const bool let_hear = d.chance(0.5);
    for (server_build& each : servers) {
        each.lets_publish = false;
        each.lets_hear = let_hear;
    }
}

// Apart from all else, as strikes are. Long enough for a server to come back from its quarantine.
void weather::draw_groups(std::uint64_t seed) {
    dice d(seed ^ 0x670a0); // which leaves the worlds of failed_seeds.txt as they were
    if (!d.chance(0.2) || !clocks_are_bounded) return;
    groups = true;
    draw_replacements(d);
}

void weather::draw_clusters(std::uint64_t seed) {
    dice d(seed ^ 0x5107); // likewise
    if (groups || !d.chance(0.1) || !clocks_are_bounded) return;
    clusters = true;
    for (server_build& each : servers)
        each.speaks_resp3 = true;
    const bool by_force = d.chance(0.5);
    draw_replacements(d);
    if (by_force) seizures = {.per_second = fail_overs.per_second, .longest = 0s};
    if (by_force && d.chance(0.5)) fail_overs = {};
}

void weather::replace_masters() {
    replace_all_the_time();
    groups = false;
    clusters = true;
    for (server_build& each : servers)
        each.speaks_resp3 = true;
    seizures = fail_overs;
}

void weather::replace_masters_of_groups() {
    replace_all_the_time();
    groups = true;
    clusters = false;
    seizures = {};
}

void weather::replace_all_the_time() {
    data_is_kept = false;
    config.restart_guard = longest_ttl;
    longest_lag = 1s;
    fail_overs = {.per_second = 0.5, .longest = 0s};
    blindness = {.per_second = 1, .longest = 20s};
    length = 15s;
    kinds.clear();
    other_kinds = 0;
    keys = 1;
    clients = std::max(clients, 3u);
    longest_pause = 5ms;
    holds_long = 0.5;
    renews = 0;
}

void weather::hand_on_together() {
    kinds.clear();
    other_kinds = 0;
    keys = 4;
    clients = std::min(clients, 2u);
    users = 12;
    fences = 1;
    config.handoff_limit = 64;
    config.max_inflight = 1024;
    longest_hold = 10us;
    longest_pause = 1ms;
    length = 500ms;
    cancels = delays_lock = 0;
    waits = 1;
}

void weather::stop_those_who_wait() {
    kinds.clear();
    other_kinds = 0;
    keys = 1;
    clients = std::max(clients, 3u);
    users = 1;
    wakeups = {config.wakeup = wakeup::automatic};
    config.max_inflight = 1024;
    longest_hold = longest_pause = 5ms;
    holds_long = 0.3;
    renews = cancels = delays_lock = 0;
    waits = 1;
    client_stops = {.per_second = 4, .longest = 2 * longest_ttl};
}

void weather::draw_replacements(dice& d) {
    data_is_kept = false;
    config.restart_guard = longest_ttl;
    longest_lag = d.spread(50ms, 2s);
    fail_overs = {.per_second = d.chance(0.5) ? 0.2 : 0.6, .longest = 0s};
    if (d.chance(0.6)) blindness = {.per_second = 0.4, .longest = 20s};
    length = d.between(8s, 20s);
    // Where one key is wanted by several for all of the time.
    if (!d.chance(0.7)) return;
    keys = 1;
    clients = std::max(clients, 3u);
    longest_pause = 5ms;
    holds_long = 0.5;
    if (d.chance(0.5)) renews = 0;
}

nanoseconds weather::slowest_delivery() const noexcept {
    return 2 * network.latency + network.jitter * (network.tail > 0 ? 201 : 1);
}

bool weather::promises_wakeup() const noexcept {
    return clocks_are_bounded && config.max_inflight > 1 && !groups && !clusters;
}

std::string weather::description() const {
    std::string text = fmt::format(
        "{} servers, {} clients of {} users, {} keys, ttl {} to {} ms, node_timeout {} ms, wakeup {}, "
        "fencing {}, drift {} ppm, latency {} us, jitter {} us, tail {}, loss {}",
        servers.size(), clients, users, keys, shortest_ttl.count(), longest_ttl.count(),
        config.node_timeout.count(), fmt::join(numbers_of(wakeups), "/"), fences, drift,
        network.latency.count() / 1000, network.jitter.count() / 1000, network.tail, network.loss);
    const auto add = [&](std::string_view what, const fault& f) {
        if (f.per_second > 0) text += fmt::format(", {} {:.2f}/s", what, f.per_second);
    };
    if (!servers.front().lets_publish) text += ", no right to publish";
    if (!servers.front().lets_hear) text += ", none to hear";
    if (config.restart_guard > milliseconds(0)) text += ", restart guard";
    constexpr std::string_view names[] = {"reading and writing", "permits", "sets", "owners",
                                          "kept keys",           "leaders"};
    for (const lock_kind k : kinds)
        text += fmt::format(", {}", names[static_cast<unsigned>(k)]);
    if (guard_is_broken) text += ", no restart guard where there has to be one";
    if (groups) text += fmt::format(", groups with a lag of {} ms", longest_lag.count() / 1'000'000);
    if (clusters) text += fmt::format(", clusters with a lag of {} ms", longest_lag.count() / 1'000'000);
    if (lasting_cuts > 0) text += ", lasting cuts";
    add("resets", resets);
    add("cuts", cuts);
    add("one-way cuts", one_way_cuts);
    add("server stops", server_stops);
    add(data_is_kept ? "server crashes" : "server crashes without data", server_crashes);
    add("client stops", client_stops);
    add("client deaths", client_deaths);
    add("client ends", client_ends);
    add("suspends", suspends);
    add("server clock jumps", server_jumps);
    add("fail-overs", fail_overs);
    add("slots given away", seizures);
    add("clients that no Sentinel reaches", blindness);
    if (strikes.probability > 0) text += ", " + strikes.description();
    return text;
}

} // namespace redlock::sim
