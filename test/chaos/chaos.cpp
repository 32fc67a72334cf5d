// Ten clients contend for a few locks on servers of one engine, while a nemesis makes faults. Says in the end
// what it did, and whether anything happened that must not.
//   redlock_chaos [--engine NAME] [--minutes N | --seconds N] [--seed S] [--keep-data]

#include "chaos/checker.hpp"
#include "chaos/crowd.hpp"
#include "chaos/deployment/deployments.hpp"
#include "chaos/nemesis.hpp"
#include "support/eventually.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <random>
#include <stdexcept>
#include <thread>

namespace redlock::chaos {
namespace {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

/// Once in so long clients do at least one of each thing that they can.
constexpr auto deed_time = 20s;
// A fail-over on a busy machine may take most of a short run: it goes on then until all was done often
// enough.
constexpr int longest_in_durations = 3;

struct options {
    std::string engine = "redis";
    std::chrono::seconds duration = 1min;
    unsigned seed = std::random_device{}();
    deployment_options servers{};
};

unsigned number_in(const std::string& text) {
    unsigned number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size())
        throw std::invalid_argument("not a number: \"" + text + "\"");
    return number;
}

options parse(const std::vector<std::string>& words) {
    options o;
    for (auto word = words.begin(); word != words.end(); ++word) {
        const std::string value = word + 1 != words.end() ? *(word + 1) : "";
        if (*word == "--keep-data") {
            o.servers.lose_data = false;
            continue;
        }
        if (*word == "--engine")
            o.engine = value;
        else if (*word == "--minutes")
            o.duration = std::chrono::minutes(number_in(value));
        else if (*word == "--seconds")
            o.duration = std::chrono::seconds(number_in(value));
        else if (*word == "--seed")
            o.seed = number_in(value);
        else
            throw std::invalid_argument("unknown argument \"" + *word + "\"");
        ++word;
    }
    return o;
}

void report_calls(const std::vector<grant>& grants, const history& log) {
    std::uint64_t calls = 0;
    std::uint64_t cancelled = 0;
    std::uint64_t failed = 0;
    for (std::size_t client = 0; client < log.clients(); ++client) {
        calls += log.page_of(client).calls;
        cancelled += log.page_of(client).cancelled;
        failed += log.page_of(client).failed;
    }
    std::uint64_t accepted = 0;
    std::uint64_t rejected = 0;
    for (std::size_t key = 0; key < keys; ++key) {
        accepted += log.resource_of(key).accepted;
        rejected += log.resource_of(key).rejected;
    }
    fmt::print("{} acquires: {} leases on contended keys, {} cancelled, {} failed\n", calls, grants.size(),
               cancelled, failed);
    for (std::size_t i = 0; i < deed_count; ++i)
        fmt::print("{:5} times clients {}\n", log.times(static_cast<deed>(i)), deed_names[i].words);
    fmt::print("{} writes, and {} that came too late and were rejected\n", accepted, rejected);
}

void report_faults(const std::vector<grant>& grants, const nemesis& made, const deployment& servers) {
    for (const auto& [name, times] : made.counts())
        fmt::print("{:5} times {}\n", times, name);
    if (const auto& spans = made.well())
        fmt::print("Longest time without a grant while there could have been one: {} ms\n",
                   longest_pause(grants, *spans) / 1'000'000);
    if (const std::string more = servers.remark(); !more.empty()) fmt::print("{}\n", more);
}

// Generous: faults leave little time at times, and a short run draws few of each.
std::uint64_t least_times(std::chrono::seconds duration) {
    return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(duration / deed_time));
}

// All that happened and must not.
std::vector<std::string> wrongs(const std::vector<grant>& grants, const history& log, deployment& servers,
                                std::chrono::seconds duration) {
    std::vector<std::string> all = violations_in(grants);
    // What a client held that was killed runs out; a queue that it stood in lives for longer.
    std::vector<std::string> left;
    const auto is_queue = [](const std::string& what) { return what.ends_with(":redlock-queue"); };
    if (test::eventually(2 * longest_lease,
                         [&] { return std::ranges::all_of(left = servers.keys_left(), is_queue); }))
        test::eventually(longest_left, [&] { return (left = servers.keys_left()).empty(); });
    std::ranges::move(left, std::back_inserter(all));
    for (std::size_t key = 0; key < keys; ++key)
        if (const auto wronged = log.resource_of(key).wronged.load(); wronged > 0)
            all.push_back(
                fmt::format("{} writes to resource {} were rejected, of valid leases", wronged, key));
    for (std::size_t client = 0; client < log.clients(); ++client)
        if (const auto astray = log.page_of(client).astray.load(); astray > 0)
            all.push_back(
                fmt::format("{} times a lease of an owner of client {} was not as his others of the key",
                            astray, client));
    std::ranges::move(shortcomings(log, servers.terms(), least_times(duration)), std::back_inserter(all));
    return all;
}

/// Returns how many things happened that must not.
std::size_t run(const options& o) {
    fmt::print("seed {}\n", o.seed);
    const auto servers = start_deployment(o.engine, o.servers);
    const auto longest = longest_in_durations * o.duration;
    crowd clients(*servers, o.seed, 1000 + 100 * static_cast<std::size_t>(longest.count()));
    nemesis made(*servers, clients, o.seed);
    const auto least = least_times(o.duration);
    const auto lacks_a_deed = [&] { return !shortcomings(clients.log(), servers->terms(), least).empty(); };
    for (const auto begin = clock::now();
         clock::now() < begin + o.duration || (clock::now() < begin + longest && lacks_a_deed());) {
        made.step();
        std::this_thread::sleep_for(5ms);
    }
    made.calm();
    auto wrong = clients.end(30s);
    const auto grants = grants_in(clients.log());
    report_calls(grants, clients.log());
    report_faults(grants, made, *servers);
    std::ranges::move(wrongs(grants, clients.log(), *servers, o.duration), std::back_inserter(wrong));
    for (const auto& what : wrong)
        fmt::print("VIOLATION: {}\n", what);
    fmt::print("{} violations\n", wrong.size());
    return wrong.size();
}

} // namespace
} // namespace redlock::chaos

int main(int count, char** arguments) {
    try {
        return redlock::chaos::run(redlock::chaos::parse({arguments + 1, arguments + count})) == 0 ? 0 : 1;
    } catch (const std::exception& e) {
        fmt::print(stderr, "redlock_chaos: {}\n", e.what());
        return 2;
    }
}
