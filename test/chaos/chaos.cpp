// Ten clients contend for a few locks on five nodes while a nemesis makes faults. Says in the end what it
// did, and whether anything happened that must not.
//   redlock_chaos [--minutes N | --seconds N] [--seed S] [--keep-data]

#include "chaos/checker.hpp"
#include "chaos/nemesis.hpp"
#include "support/eventually.hpp"

#include <fmt/format.h>

#include <charconv>
#include <random>
#include <stdexcept>
#include <thread>

namespace redlock::chaos {
namespace {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

/// Longer than any ttl with its lock delay, see client.cpp.
constexpr auto longest_lease = 1500ms;

struct options {
    std::chrono::seconds duration = 1min;
    unsigned seed = std::random_device{}();
    bool lose_data = true; ///< nodes do, now and then, and the clients guard against it
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
            o.lose_data = false;
            continue;
        }
        if (*word == "--minutes")
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

void report(const std::vector<grant>& grants, const history& log, const nemesis& faults) {
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
    fmt::print("{} writes, and {} that came too late and were rejected\n", accepted, rejected);
    for (std::size_t kind = 0; kind < fault_kinds; ++kind)
        fmt::print("{:5} times {}\n", faults.counts()[kind], name_of(static_cast<fault>(kind)));
    fmt::print("Longest time without a grant while a majority was up: {} ms\n",
               longest_pause(grants, faults.majority_up()) / 1'000'000);
}

/// Returns how many things happened that must not.
std::size_t run(const options& o) {
    fmt::print("seed {}\n", o.seed);
    const auto guard = o.lose_data ? longest_lease : 0ms;
    const auto seconds = static_cast<std::size_t>(o.duration.count());
    cluster victims(o.seed, guard, 1000 + 100 * seconds);
    nemesis faults(victims, o.seed, o.lose_data, guard);
    for (const auto end = clock::now() + o.duration; clock::now() < end;) {
        faults.step();
        std::this_thread::sleep_for(5ms);
    }
    faults.calm();
    auto wrong = victims.end_clients(30s);
    const auto grants = grants_in(victims.log());
    report(grants, victims.log(), faults);
    // What a client held that was killed runs out.
    test::eventually(2 * longest_lease, [&] { return victims.keys_left().empty(); });
    for (auto& left : victims.keys_left())
        wrong.push_back(std::move(left));
    for (auto& violation : violations_in(grants))
        wrong.push_back(std::move(violation));
    for (std::size_t key = 0; key < keys; ++key)
        if (const auto wronged = victims.log().resource_of(key).wronged.load(); wronged > 0)
            wrong.push_back(
                fmt::format("{} writes to resource {} were rejected, of valid leases", wronged, key));
    if (grants.empty()) wrong.push_back("there was no grant at all");
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
