// One who stands in no queue, and asks for the key from time to time, among clients that hand it on.

#include "handover_fixture.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <utility>

namespace redlock::test {
namespace {

namespace asio = boost::asio;

struct stranger_fixture : handover_fixture {
    asio::awaitable<void> pause(std::chrono::microseconds time) {
        asio::steady_timer timer(context, time);
        co_await timer.async_wait(asio::use_awaitable);
    }
    asio::awaitable<void> hold() {
        overlaps += inside++ > 0;
        co_await pause(1ms);
        --inside;
    }

    // As other libraries lock and unlock.
    bool take_as_stranger() {
        std::size_t votes = 0;
        for (auto& node : nodes)
            votes += node.command({"SET", "key", "stranger", "NX", "PX", "600000"}) == "OK";
        if (votes > nodes.size() / 2) return true;
        give_back_as_stranger();
        return false;
    }
    void give_back_as_stranger() {
        for (auto& node : nodes)
            node.command({"EVAL",
                          "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) end",
                          "1", "key", "stranger"});
    }

    /// It has the key, and then wants it again and again.
    asio::awaitable<void> contend_as_stranger() {
        ++busy;
        give_back_as_stranger();
        while (!over) {
            if (take_as_stranger()) {
                co_await hold();
                ++stranger_grants;
                stranger_turns += ours_since > 0;
                give_back_as_stranger();
                ours_between = std::max(ours_between, std::exchange(ours_since, 0));
            }
            co_await pause(1ms);
        }
        --busy;
    }
    asio::awaitable<void> contend(client& locks, std::size_t& grants) {
        ++busy;
        while (!over) {
            lease held = co_await locks.async_lock("key", patiently(), asio::use_awaitable);
            co_await hold();
            ++grants;
            ++ours_since;
            co_await held.async_unlock(asio::use_awaitable);
        }
        --busy;
    }

    std::array<std::size_t, 4> grants{};
    int stranger_grants = 0;
    int stranger_turns = 0; ///< the same, but for those straight behind another of its own
    int ours_since = 0;
    int ours_between = 0; ///< grants, at most, from one of the stranger to the next
    int inside = 0;
    int overlaps = 0;
    int busy = 0;
    bool over = false;
};

BOOST_FIXTURE_TEST_SUITE(strangers, stranger_fixture)

// A key that is handed on for 100 ms is free for a round trip, which such a one meets by chance.
BOOST_AUTO_TEST_CASE(one_that_was_seen_has_its_turn_again_and_again) {
    BOOST_REQUIRE(take_as_stranger());
    for (std::size_t i = 0; i < grants.size(); ++i)
        asio::co_spawn(context, contend(clients[i], grants[i]), asio::detached);
    BOOST_REQUIRE(all_queue(grants.size()));
    asio::co_spawn(context, contend_as_stranger(), asio::detached);
    constexpr int turns = 40;
    BOOST_TEST(run_until(60s, [&] { return stranger_grants >= turns; }));
    const std::size_t all = std::accumulate(grants.begin(), grants.end(), std::size_t{0});
    const auto [least, most] = std::ranges::minmax(grants);
    BOOST_TEST_MESSAGE("grants of ours " << all << ", between two of the stranger " << ours_between);
    BOOST_TEST(all <= turns * 40u);
    // Until it is known who comes when, it may find the key that it gave back still free.
    BOOST_TEST(all >= static_cast<std::size_t>(stranger_turns) * 4u);
    BOOST_TEST(least + least / 4 + 2 >= most);
    over = true;
    BOOST_TEST(run_until([&] { return busy == 0; }));
    BOOST_TEST(overlaps == 0);
    nothing_is_left();
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
