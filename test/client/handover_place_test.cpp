// The place of one that waits for long, and the places of those that do not wait any more.

#include "handover_fixture.hpp"
#include "support/child_process.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <string>
#include <vector>

namespace redlock::test {
namespace {

using std::chrono::milliseconds;

/// For how long a node believes, by its own clock, that the first in its queue still waits.
struct belief {
    milliseconds until{0};
    milliseconds at_first{0}; ///< from the entry on
    milliseconds now{0};
};

struct place_fixture : handover_fixture {
    static belief belief_in_first(redis_server& node) {
        const redis_answer time = node.command({"TIME"});
        const redis_answer first = node.command({"ZRANGE", queue_of_key, "0", "0"});
        BOOST_REQUIRE(first.elements.size() == 1);
        // token|life|entered|at|until
        std::vector<std::string> parts(1);
        for (const char c : first.elements.front().text)
            c == '|' ? parts.emplace_back() : parts.back() += c;
        const milliseconds at(std::stoll(parts.at(3))), until(std::stoll(parts.at(4)));
        const milliseconds now(std::stoll(time.elements.at(0).text) * 1000 +
                               std::stoll(time.elements.at(1).text) / 1000);
        return {.until = until, .at_first = until - at, .now = now};
    }
    bool all_believe(auto&& what) {
        return run_until([&] {
            return std::ranges::all_of(nodes, [&](auto& node) { return what(belief_in_first(node)); });
        });
    }
    std::chrono::steady_clock::duration from_unlock_to_grant(lease& held, outcome<lease>& of) {
        const auto begun = std::chrono::steady_clock::now();
        BOOST_TEST(!unlock(held));
        held = take_from(of);
        const auto waited = std::chrono::steady_clock::now() - begun;
        BOOST_TEST(held.valid());
        BOOST_TEST_MESSAGE("waited " << waited / 1ms << " ms");
        return waited;
    }

    /// The first life of a key that was handed to one that is gone would be 24 s.
    static constexpr std::chrono::seconds a_moment{5};
};

BOOST_FIXTURE_TEST_SUITE(handover_place, place_fixture)

// Redisson #3004: whoever waited for longer was taken out of the queue by those who came later.
BOOST_AUTO_TEST_CASE(who_waits_for_longer_than_is_believed_of_it_keeps_its_place) {
    lease held = lock_everywhere(clients[0]);
    waiting.resize(2);
    clients[1].async_lock("key", patiently(), waiting[0].handler());
    BOOST_REQUIRE(all_queue(1));
    // Before it knew that nobody is ahead, it said that it would not be seen for long.
    BOOST_REQUIRE(all_believe([](const belief& b) { return b.at_first < 1s; }));
    milliseconds last{0};
    for (auto& node : nodes)
        last = std::max(last, belief_in_first(node).until);
    // What was believed then is over, and it is believed all the time.
    BOOST_REQUIRE(all_believe([&](const belief& b) { return b.now > last + 1s && b.until > b.now; }));
    clients[2].async_lock("key", patiently(), waiting[1].handler());
    BOOST_REQUIRE(all_queue(2));
    BOOST_REQUIRE(all_believe([](const belief& b) { return b.until > b.now + 300ms; }));
    BOOST_TEST(!unlock(held));
    held = take_from(waiting[0]);
    BOOST_TEST(!waiting[1].done());
    BOOST_TEST(!unlock(held));
    held = take_from(waiting[1]);
    BOOST_TEST(!unlock(held));
    nothing_is_left();
}

// Redisson #1104: those behind one that had given up waited as if it were still there.
BOOST_AUTO_TEST_CASE(who_gave_up_in_the_queue_holds_nobody_up) {
    lease held = lock_everywhere(clients[0]);
    lock_options brief = patiently();
    brief.wait = 300ms;
    // The key is given back when the entry may still be there.
    for (int i = 0; i < 5; ++i) {
        waiting.clear();
        waiting.resize(2);
        clients[1].async_lock("key", brief, waiting[0].handler());
        BOOST_REQUIRE(run_until([&] { return in_queue(0) == 1 || waiting[0].done(); }));
        clients[2].async_lock("key", patiently(), waiting[1].handler());
        BOOST_REQUIRE(run_until([&] { return waiting[0].done(); }));
        BOOST_TEST(waiting[0].error() == errc::wait_timeout);
        BOOST_TEST((from_unlock_to_grant(held, waiting[1]) < a_moment));
        BOOST_TEST(!unlock(held));
        nothing_is_left();
        held = lock_everywhere(clients[0]);
    }
    BOOST_TEST(!unlock(held));
}

// Redisson #1104: or as if it were still alive.
BOOST_AUTO_TEST_CASE(processes_that_were_killed_in_the_queue_hold_nobody_up) {
    lease held = lock_everywhere(clients[0]);
    std::vector<std::string> words{REDLOCK_TEST_HOLDER, "key", "20000", "0", "3000"};
    for (const auto& uri : nodes.uris())
        words.push_back(uri);
    std::deque<child_process> others;
    for (std::size_t i = 1; i <= 3; ++i) {
        others.emplace_back(words);
        BOOST_REQUIRE(all_queue(i));
    }
    waiting.resize(1);
    clients[1].async_lock("key", patiently(), waiting[0].handler());
    BOOST_REQUIRE(all_queue(4));
    for (child_process& other : others)
        other.kill();
    // Their connections are closed; a node may take note of it late.
    const auto listening = [](redis_server& node) {
        return node.command({"PUBSUB", "CHANNELS", "redlock:*"}).elements.size();
    };
    BOOST_REQUIRE(run_until([&] {
        return std::ranges::all_of(nodes, [&](auto& node) { return listening(node) == clients.size(); });
    }));
    for (std::size_t node = 0; node < nodes.size(); ++node)
        BOOST_TEST(in_queue(node) == 4u);
    BOOST_TEST((from_unlock_to_grant(held, waiting[0]) < a_moment));
    BOOST_TEST(!unlock(held));
    nothing_is_left();
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
