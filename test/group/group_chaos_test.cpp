// Masters of real groups are replaced, stopped and cut off from who is connected to them, while clients
// contend for one key. All of it in one thread, so that at any moment one can look at all leases at once.

#include "../client/lock_fixture.hpp"
#include "support/watched_group.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <list>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace redlock::test {
namespace {

using std::chrono::milliseconds;
using clock = std::chrono::steady_clock;

constexpr milliseconds ttl{500};
constexpr std::size_t group_count = 3;

struct group_chaos_fixture : lock_fixture {
    group_chaos_fixture() : lock_fixture(0), groups(group_count) {
        for (auto& group : groups)
            group.await_ready();
        config c = lock_fixture::settings();
        for (auto& group : groups)
            c.nodes.push_back(group.uri());
        c.node_timeout = 150ms;
        c.restart_guard = ttl;
        for (auto& one : locks)
            one.emplace(context.get_executor(), c);
    }

    int between(int low, int high) { return std::uniform_int_distribution(low, high)(random); }

    asio::awaitable<void> use(client& mine) {
        asio::steady_timer pause(context);
        while (!over) {
            auto token = asio::as_tuple(asio::use_awaitable);
            const lock_options wanted{.ttl = ttl, .wait = 1s, .renew = between(0, 1) == 0};
            auto [failure, granted] = co_await mine.async_lock("key", wanted, token);
            if (failure) {
                pause.expires_after(milliseconds(between(1, 50)));
                co_await pause.async_wait(asio::use_awaitable);
                continue;
            }
            ++grants;
            const auto place = held.insert(held.end(), std::move(granted));
            expect_one_valid_lease();
            pause.expires_after(milliseconds(between(0, 600)));
            co_await pause.async_wait(asio::use_awaitable);
            lease done = std::move(*place);
            held.erase(place);
            co_await done.async_unlock(asio::as_tuple(asio::use_awaitable));
        }
    }

    void expect_one_valid_lease() {
        if (std::ranges::count_if(held, [](const lease& l) { return l.valid(); }) > 1) ++overlaps;
    }

    /// Something that stands still goes on at that time.
    struct pause {
        redis_server* server;
        clock::time_point until;
    };
    bool stands_still(const redis_server& s) const {
        return std::ranges::any_of(paused, [&](const pause& p) { return p.server == &s; });
    }
    void stop(redis_server& s, milliseconds how_long) {
        if (stands_still(s)) return;
        s.stop();
        paused.push_back({&s, clock::now() + how_long});
    }
    void resume(clock::time_point now) {
        std::erase_if(paused, [&](const pause& p) {
            if (p.until > now) return false;
            p.server->resume();
            return true;
        });
    }

    void disturb(watched_group& group) {
        const auto some = [&](int count) { return static_cast<std::size_t>(between(0, count - 1)); };
        redis_server& server = group.server(some(2));
        redis_server& sentinel = group.sentinel(some(3));
        switch (between(0, 5)) {
        case 0:
            return stop(server, milliseconds(between(100, 2500)));
        case 1:
            return stop(sentinel, milliseconds(between(100, 4000)));
        case 2:
            if (!stands_still(server)) server.command({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"});
            return;
        default:
            // Refused while another is under way, or there is no replica that could do it.
            if (!stands_still(sentinel)) sentinel.command({"SENTINEL", "FAILOVER", group.service()});
        }
    }

    void note_masters() {
        for (const node_metrics& node : locks[0]->metrics().nodes)
            masters.insert(node.node + ' ' + node.master);
    }

    const unsigned seed = std::random_device{}();
    std::mt19937 random{seed};
    std::deque<watched_group> groups;
    std::optional<client> locks[2];
    std::list<lease> held;
    std::vector<pause> paused;
    std::set<std::string> masters;
    bool over = false;
    int grants = 0;
    int overlaps = 0;
};

BOOST_FIXTURE_TEST_SUITE(sentinel_chaos, group_chaos_fixture)

BOOST_AUTO_TEST_CASE(no_two_leases_are_valid_at_once_whoever_is_the_master) {
    BOOST_TEST_MESSAGE("seed " << seed);
    int running = 0;
    const auto end = [&](std::exception_ptr failure) {
        BOOST_TEST(!failure);
        --running;
    };
    for (auto& one : locks)
        for (int i = 0; i < 2; ++i, ++running)
            asio::co_spawn(context, use(*one), end);
    auto next = clock::now();
    const auto finish = next + 30s;
    run_until(60s, [&] {
        const auto now = clock::now();
        expect_one_valid_lease();
        resume(now);
        if (now >= next) {
            note_masters();
            disturb(groups[static_cast<std::size_t>(between(0, group_count - 1))]);
            next = now + milliseconds(between(100, 1500));
        }
        return now >= finish;
    });
    resume(clock::time_point::max());
    // All is mended: then they get locks again, if they did not all the time.
    const int before = grants;
    BOOST_TEST(run_until([&] { return grants > before; }));
    over = true;
    BOOST_TEST(run_until([&] { return running == 0; }));
    for (auto& one : locks)
        close(*one);
    BOOST_TEST_MESSAGE(grants << " grants, " << masters.size() << " masters");
    BOOST_TEST(overlaps == 0);
    BOOST_TEST(masters.size() > group_count);
    BOOST_TEST(grants > 5);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
