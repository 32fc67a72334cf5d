#include "wakeup_mode.hpp"

#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <deque>
#include <limits>

namespace redlock::test {
namespace {

constexpr std::size_t clients = 50;

/// Many clients, each of which wants the key once and has it for a moment.
struct crowd_test_fixture : wakeup_fixture {
    crowd_test_fixture() : wakeup_fixture(wakeup_modes().front()) {
        config c = settings();
        c.node_timeout = 1s;
        c.wakeup = wakeup::keyspace_events;
        for (std::size_t i = 0; i < clients; ++i)
            all.emplace_back(context.get_executor(), c);
        for (client& each : all)
            BOOST_REQUIRE(knows(each, wakeup::keyspace_events));
    }

    /// Subscriptions to the key on all nodes together.
    std::size_t listeners() {
        std::size_t count = 0;
        for (redis_server& node : nodes)
            count += static_cast<std::size_t>(
                node.command({"PUBSUB", "NUMSUB", "__keyspace@0__:lock:key"}).elements.at(1).integer);
        return count;
    }

    asio::awaitable<void> take_once(client& locks) {
        lease held = co_await locks.async_lock("key", patiently(), asio::use_awaitable);
        ++grants;
        const std::size_t waiting = clients - grants;
        // Once all listen, and as long as they are many.
        if (grants >= 10 && waiting >= 10)
            fewest = std::min(fewest, static_cast<double>(listeners()) / static_cast<double>(waiting));
        asio::steady_timer work(context, 20ms);
        co_await work.async_wait(asio::use_awaitable);
        co_await held.async_unlock(asio::use_awaitable);
        ++done;
    }

    std::deque<client> all;
    std::size_t grants = 0;
    std::size_t done = 0;
    double fewest = std::numeric_limits<double>::max(); ///< subscriptions for each who waits
};

BOOST_FIXTURE_TEST_SUITE(crowd, crowd_test_fixture)

// Each event of a node that many listen to costs as many messages. Nobody knows of the crowd when all come at
// once.
BOOST_AUTO_TEST_CASE(who_waits_among_many_comes_to_listen_to_one_node) {
    for (client& each : all)
        asio::co_spawn(context, take_once(each), asio::detached);
    BOOST_TEST(run_until(60s, [&] { return done == clients; }));
    BOOST_TEST_MESSAGE(fewest << " subscriptions for each who waits");
    BOOST_TEST(fewest < 2.5);
    BOOST_TEST(run_until([&] { return listeners() == 0; }));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
