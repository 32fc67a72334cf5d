#include "lock_fixture.hpp"
#include "support/child_process.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <deque>

namespace redlock::test {
namespace {

using clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

const std::string volatile_keys = "for i=1,100000 do redis.call('set','volatile:'..i,'x','PX',600000) end";

struct holder_test_fixture : lock_fixture {
    explicit holder_test_fixture(const redis_options& options = {}) : lock_fixture(5, options) {}

    void succeed_a_killed_process(milliseconds ttl, milliseconds lock_delay);
    child_process start_holder(milliseconds ttl, milliseconds lock_delay = 0ms) {
        return child_process(command_line(ttl, lock_delay));
    }

    std::vector<std::string> command_line(milliseconds ttl, milliseconds lock_delay) {
        std::vector<std::string> words{REDLOCK_TEST_HOLDER, "key", std::to_string(ttl.count()),
                                       std::to_string(lock_delay.count()), "3000"};
        for (const auto& uri : nodes.uris())
            words.push_back(uri);
        return words;
    }

    std::vector<std::string> values() {
        std::vector<std::string> all;
        for (auto& node : nodes)
            all.push_back(node.get("key").value_or("none"));
        return all;
    }

    std::string value_on_majority() {
        std::vector<std::string> all = values();
        std::ranges::sort(all);
        return all[2];
    }

    // When the key runs out on the third node.
    clock::time_point free_on_majority() {
        std::vector<clock::time_point> ends;
        for (auto& node : nodes)
            ends.push_back(clock::now() + node.pttl("key"));
        std::ranges::sort(ends);
        return ends[2];
    }
};

void holder_test_fixture::succeed_a_killed_process(milliseconds ttl, milliseconds lock_delay) {
    config c = settings();
    c.node_timeout = 1s;
    client locks(context.get_executor(), c);
    child_process other = start_holder(ttl, lock_delay);
    BOOST_REQUIRE(other.read_line(patience).value_or("") == "held");
    outcome<lease> waiting;
    locks.async_lock("key", {.ttl = 60s}, waiting.handler());
    // Longer than a ttl: the holder renews, and the waiter waits.
    BOOST_TEST(!run_until(ttl + lock_delay + 1s, [&] { return waiting.done(); }));
    const clock::time_point before = free_on_majority();
    BOOST_TEST(run_until([&] { return free_on_majority() > before + ttl / 4; }));
    other.kill();
    const clock::time_point killed = clock::now();
    const clock::time_point expiry = free_on_majority();
    // Renewed just before.
    BOOST_TEST((expiry > killed + ttl / 2 + lock_delay));
    BOOST_TEST(run_until([&] { return waiting.done(); }));
    const clock::time_point granted = clock::now();
    BOOST_TEST(!waiting.error());
    BOOST_TEST(waiting.value().valid());
    // PTTL rounds to milliseconds.
    BOOST_TEST((granted >= expiry - 2ms));
    BOOST_TEST((granted < expiry + c.node_timeout));
    BOOST_TEST_MESSAGE("granted " << std::chrono::duration_cast<milliseconds>(granted - expiry).count()
                                  << " ms after the key ran out");
}

BOOST_FIXTURE_TEST_SUITE(holder, holder_test_fixture)

BOOST_AUTO_TEST_CASE(the_key_of_a_killed_process_is_free_right_after_its_ttl) {
    succeed_a_killed_process(3s, 0ms);
}

BOOST_AUTO_TEST_CASE(nobody_gets_the_key_of_a_killed_process_before_the_lock_delay) {
    succeed_a_killed_process(1s, 2s);
}

// Redisson #3730: of several that waited for one that was killed, not all came to their turn.
BOOST_AUTO_TEST_CASE(all_who_wait_for_a_killed_process_get_its_key_one_after_the_other) {
    constexpr milliseconds ttl = 2s;
    std::deque<client> clients;
    std::deque<outcome<lease>> waiting(2);
    for (std::size_t i = 0; i < waiting.size(); ++i)
        BOOST_REQUIRE(becomes_ready(clients.emplace_back(context.get_executor(), settings())));
    child_process other = start_holder(ttl);
    BOOST_REQUIRE(other.read_line(patience).value_or("") == "held");
    BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == nodes.size(); }));
    for (std::size_t i = 0; i < waiting.size(); ++i)
        clients[i].async_lock("key", patiently(), waiting[i].handler());
    BOOST_REQUIRE(run_until([&] {
        return std::ranges::all_of(nodes, [](auto& node) {
            return node.command({"ZCARD", "key:redlock-queue"}).integer == 2;
        });
    }));
    other.kill();
    const clock::time_point killed = clock::now();
    for (std::size_t i = 0; i < waiting.size(); ++i) {
        const auto done = [](const outcome<lease>& one) { return one.done(); };
        BOOST_REQUIRE(run_until([&] { return std::ranges::any_of(waiting, done); }));
        outcome<lease>& next = *std::ranges::find_if(waiting, done);
        BOOST_REQUIRE(!next.error());
        BOOST_TEST(next.value().valid());
        BOOST_TEST(std::ranges::count_if(waiting, done) == 1);
        BOOST_TEST(!unlock(next.value()));
        next = {};
    }
    BOOST_TEST((clock::now() - killed < ttl + 10s)); // theirs is far longer
    BOOST_TEST(becomes_free("key"));
}

// Redis publishes that a key ran out when it gets round to deleting it: with many others that have a ttl,
// more than a minute late.
BOOST_AUTO_TEST_CASE(nobody_waits_for_the_news_of_an_expiry) {
    holder_test_fixture f(
        {.directives = {"notify-keyspace-events KEA"}, .password = {}, .persistent = false});
    for (auto& node : f.nodes)
        BOOST_REQUIRE(!node.command({"EVAL", volatile_keys, "0"}).is_error());
    f.succeed_a_killed_process(3s, 0ms);
}

// A lease that was handed on to a caller with a shorter ttl, or extended by less, runs out sooner than those
// who wait have seen before.
BOOST_AUTO_TEST_CASE(a_life_that_was_cut_short_is_noticed) {
    holder_test_fixture f(
        {.directives = {"notify-keyspace-events KEA"}, .password = {}, .persistent = false});
    config c = f.settings();
    c.node_timeout = 1s;
    client locks(f.context.get_executor(), c);
    for (auto& node : f.nodes) {
        BOOST_REQUIRE(!node.command({"EVAL", volatile_keys, "0"}).is_error());
        node.command({"SET", "key", "somebody else", "PX", "600000"});
    }
    outcome<lease> waiting;
    locks.async_lock("key", {.ttl = 60s}, waiting.handler());
    const auto has_looked = [&](auto& node) {
        return node.command({"INFO", "commandstats"}).text.find("cmdstat_pttl") != std::string::npos;
    };
    BOOST_REQUIRE(f.run_until([&] { return std::ranges::all_of(f.nodes, has_looked); }));
    for (auto& node : f.nodes)
        node.command({"PEXPIRE", "key", "2500"});
    const clock::time_point expiry = clock::now() + 2500ms;
    BOOST_TEST(f.run_until([&] { return waiting.done(); }));
    BOOST_TEST(!waiting.error());
    BOOST_TEST((clock::now() < expiry + c.node_timeout));
}

BOOST_AUTO_TEST_CASE(the_key_of_a_killed_process_is_held_until_its_ttl) {
    client locks(context.get_executor(), settings());
    child_process other = start_holder(60s);
    BOOST_REQUIRE(other.read_line(patience).value_or("") == "held");
    other.kill();
    BOOST_TEST(try_lock(locks, "key") == errc::held);
    BOOST_TEST(try_lock(locks, "key", {.ttl = 1s, .wait = 500ms}) == errc::wait_timeout);
}

// A process that was stopped for longer than its lease finds it lost and takes nothing from its successor.
BOOST_AUTO_TEST_CASE(a_process_that_wakes_too_late_takes_nothing_back) {
    client locks(context.get_executor(), settings());
    child_process other = start_holder(1s);
    BOOST_REQUIRE(other.read_line(patience).value_or("") == "held");
    other.stop();
    lease held = lock(locks, "key", {.ttl = 2s});
    // Both were granted by a majority: what the others hold, or do not, is settled by a renewal at the
    // latest.
    const std::string successor = value_on_majority();
    BOOST_REQUIRE(run_until([&] { return std::ranges::count(values(), successor) == 5; }));
    const std::vector<std::string> before = values();
    other.resume();
    BOOST_TEST(!run_until(1500ms, [&] { return !held.valid(); }));
    BOOST_TEST(values() == before, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
