// Many clients that stand in the queues for one key.

#include "handover_fixture.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <cstdint>

namespace redlock::test {
namespace {

namespace asio = boost::asio;

struct handover_crowd_fixture : handover_fixture {
    handover_crowd_fixture() {
        while (clients.size() < 30)
            clients.emplace_back(context.get_executor(), settings());
        for (const client& each : clients)
            BOOST_REQUIRE(becomes_ready(each));
    }

    asio::awaitable<void> take_once(client& locks) {
        lock_options options = patiently();
        options.wait = 40s;
        error_code failed;
        lease held =
            co_await locks.async_lock("key", options, asio::redirect_error(asio::use_awaitable, failed));
        if (failed) {
            ++failures;
            co_return;
        }
        overlaps += inside++ > 0;
        asio::steady_timer work(context, 1ms);
        co_await work.async_wait(asio::use_awaitable);
        overlaps += !held.valid();
        --inside;
        co_await held.async_unlock(asio::use_awaitable);
        ++done;
    }

    int inside = 0;
    int overlaps = 0;
    int failures = 0;
    std::size_t done = 0;
};

BOOST_FIXTURE_TEST_SUITE(handover_crowd, handover_crowd_fixture)

// Redisson #2883: with many that wait, some were never woken.
BOOST_AUTO_TEST_CASE(everybody_in_a_long_queue_is_served) {
    lease held = lock_everywhere(clients[0]);
    for (std::size_t i = 1; i < clients.size(); ++i)
        asio::co_spawn(context, take_once(clients[i]), asio::detached);
    BOOST_REQUIRE(all_queue(clients.size() - 1));
    asio::co_spawn(context, take_once(clients[0]), asio::detached);
    BOOST_TEST(done == 0u);
    BOOST_TEST(!unlock(held));
    BOOST_TEST(run_until(60s, [&] { return done + static_cast<std::size_t>(failures) == clients.size(); }));
    BOOST_TEST(done == clients.size());
    BOOST_TEST(failures == 0);
    BOOST_TEST(overlaps == 0);
    std::uint64_t handed = 0;
    for (const client& each : clients)
        handed += each.metrics().directed_handovers;
    BOOST_TEST(handed >= clients.size() - 1);
    nothing_is_left();
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
