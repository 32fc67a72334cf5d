#include "lock_fixture.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

namespace redlock::test {
namespace {

namespace data = boost::unit_test::data;

constexpr std::size_t set_sizes[] = {2, 4};
constexpr int rounds = 8;

// Two clients of the same nodes, each of which reaches its own half of them sooner: their first tries end in
// a draw.
struct rivals : lock_fixture {
    explicit rivals(std::size_t count) : lock_fixture(count) {
        for (std::size_t node = 0; node < count; ++node) {
            for (auto* way : {&of_one, &of_two})
                way->emplace_back(nodes[node].port());
            (node < count / 2 ? of_two : of_one).back().delay(30ms);
        }
    }
    config settings(const std::deque<fault_proxy>& proxies) const {
        config c = lock_fixture::settings();
        c.nodes.clear();
        // The order of the nodes decides on their names as little as the way to them.
        for (const auto& proxy : proxies)
            c.nodes.push_back(proxy.uri());
        return c;
    }

    std::deque<fault_proxy> of_one;
    std::deque<fault_proxy> of_two;
};

BOOST_AUTO_TEST_SUITE(split_vote)

BOOST_DATA_TEST_CASE(rivals_that_try_once_both_decide, data::make(set_sizes), count) {
    rivals f(count);
    client one(f.context.get_executor(), f.settings(f.of_one));
    client two(f.context.get_executor(), f.settings(f.of_two));
    BOOST_REQUIRE(f.becomes_ready(one));
    BOOST_REQUIRE(f.becomes_ready(two));
    for (int round = 0; round < rounds; ++round) {
        outcome<lease> a;
        outcome<lease> b;
        one.async_lock("key", once(), a.handler());
        two.async_lock("key", once(), b.handler());
        BOOST_REQUIRE(f.run_until([&] { return a.done() && b.done(); }));
        BOOST_TEST(!(a.value().valid() && b.value().valid()));
        for (auto* tried : {&a, &b}) {
            BOOST_TEST((!tried->error() || tried->error() == errc::held));
            tried->drop_values();
        }
        BOOST_TEST(f.becomes_free("key"));
    }
    BOOST_TEST(one.metrics().split_votes + two.metrics().split_votes > 0u);
}

BOOST_DATA_TEST_CASE(rivals_that_wait_both_get_the_key, data::make(set_sizes), count) {
    rivals f(count);
    client one(f.context.get_executor(), f.settings(f.of_one));
    client two(f.context.get_executor(), f.settings(f.of_two));
    BOOST_REQUIRE(f.becomes_ready(one));
    BOOST_REQUIRE(f.becomes_ready(two));
    int inside = 0;
    auto hold = [&](client& locks) -> asio::awaitable<void> {
        lease held = co_await locks.async_lock("key", {.ttl = 60s, .wait = patience});
        BOOST_TEST(++inside == 1);
        asio::steady_timer pause(f.context, 1ms);
        co_await pause.async_wait(asio::deferred);
        --inside;
        co_await held.async_unlock();
    };
    for (int round = 0; round < rounds; ++round) {
        int ended = 0;
        auto end = [&](std::exception_ptr failure) {
            BOOST_TEST(!failure);
            ++ended;
        };
        asio::co_spawn(f.context, hold(one), end);
        asio::co_spawn(f.context, hold(two), end);
        BOOST_REQUIRE(f.run_until(2 * patience, [&] { return ended == 2; }));
    }
    BOOST_TEST(one.metrics().split_votes + two.metrics().split_votes > 0u);
}

// Half of the nodes is no majority.
BOOST_DATA_TEST_CASE(half_of_the_nodes_is_not_enough, data::make(set_sizes), count) {
    lock_fixture f(count);
    config c = f.settings();
    c.node_timeout = 500ms;
    client locks(f.context.get_executor(), c);
    BOOST_REQUIRE(f.becomes_ready(locks));
    for (std::size_t node = 0; node < count / 2; ++node)
        f.nodes[node].kill();
    BOOST_TEST(f.try_lock(locks, "key", patiently()) == errc::no_quorum);
    BOOST_TEST(f.run_until([&] { return !f.nodes[count - 1].exists("key"); }));
    for (std::size_t node = 0; node < count / 2; ++node)
        f.nodes[node].restart();
    for (std::size_t node = 0; node < count / 2; ++node)
        f.nodes[node].command({"SET", "key", "somebody else"});
    BOOST_REQUIRE(f.becomes_ready(locks));
    BOOST_TEST(f.try_lock(locks, "key") == errc::held);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
