// Processes that stand still in the queue for a key, their connections alive.

#include "lock_fixture.hpp"
#include "support/child_process.hpp"

#include <boost/test/unit_test.hpp>

#include <deque>
#include <string>
#include <vector>

namespace redlock::test {
namespace {

using clock = std::chrono::steady_clock;

struct stopped_head_fixture : lock_fixture {
    stopped_head_fixture() {
        config c = settings();
        c.node_timeout = node_timeout;
        for (int i = 0; i < 2; ++i)
            clients.emplace_back(context.get_executor(), c);
        for (const client& each : clients)
            BOOST_REQUIRE(becomes_ready(each));
    }
    /// In another process.
    void let_another_wait() {
        std::vector<std::string> words{REDLOCK_TEST_HOLDER, "key", "20000", "0",
                                       std::to_string(node_timeout.count())};
        for (const auto& uri : nodes.uris())
            words.push_back(uri);
        others.emplace_back(words);
        BOOST_REQUIRE(all_queue(others.size()));
    }
    bool all_queue(std::size_t count) {
        return run_until([&] {
            for (auto& node : nodes)
                if (node.command({"ZCARD", "key:redlock-queue"}).integer != static_cast<std::int64_t>(count))
                    return false;
            return true;
        });
    }
    /// From the release of `held` to the grant to whoever waits behind all that stand still.
    clock::duration wait_behind_stopped(std::size_t count) {
        lease held = lock(clients[0], "key", {.ttl = 20s});
        BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == nodes.size(); }));
        for (std::size_t i = 0; i < count; ++i)
            let_another_wait();
        outcome<lease> living;
        clients[1].async_lock("key", patiently(), living.handler());
        BOOST_REQUIRE(all_queue(count + 1));
        for (child_process& other : others)
            other.stop();
        const clock::time_point begun = clock::now();
        BOOST_TEST(!unlock(held));
        BOOST_REQUIRE(run_until([&] { return living.done(); }));
        const auto waited = clock::now() - begun;
        BOOST_TEST(!living.error());
        BOOST_TEST(living.value().valid());
        for (child_process& other : others)
            other.kill();
        return waited;
    }

    static constexpr std::chrono::milliseconds node_timeout{100};
    static constexpr auto first_life = 8 * node_timeout;
    std::deque<client> clients;
    std::deque<child_process> others;
};

BOOST_FIXTURE_TEST_SUITE(stopped_head, stopped_head_fixture)

BOOST_AUTO_TEST_CASE(it_holds_the_others_up_for_the_first_life_of_a_key) {
    const auto waited = wait_behind_stopped(1);
    BOOST_TEST((waited >= first_life / 2));
    BOOST_TEST((waited < 2 * first_life));
    BOOST_TEST_MESSAGE("waited " << std::chrono::duration_cast<std::chrono::milliseconds>(waited).count()
                                 << " ms");
}

// Redisson #1353: each of them cost the others five seconds, one after the other.
BOOST_AUTO_TEST_CASE(several_do_so_at_the_same_time) {
    const auto waited = wait_behind_stopped(4);
    BOOST_TEST((waited < 2 * first_life));
    BOOST_TEST_MESSAGE("waited " << std::chrono::duration_cast<std::chrono::milliseconds>(waited).count()
                                 << " ms");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
