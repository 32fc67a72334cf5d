// Ten clients that contend for keys while one of the two engines forgets what it has promised, again and
// again: the other one keeps its promise, so no two hold a key at once.

#include "pair_fixture.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <functional>
#include <list>
#include <map>
#include <random>

namespace redlock::test {
namespace {

namespace asio = boost::asio;
using std::chrono::milliseconds;
using clock = std::chrono::steady_clock;

constexpr milliseconds chaos_ttl{1200};

// All clients in one thread, so that at any moment one can look at all leases at once.
struct pair_chaos_test_fixture : pair_fixture {
    struct holding {
        std::string key;
        lease granted;
    };

    pair_chaos_test_fixture() {
        config c = settings();
        c.node_timeout = 300ms;
        for (int i = 0; i < 10; ++i)
            locks.emplace_back(context.get_executor(), c);
    }
    int between(int low, int high) { return std::uniform_int_distribution(low, high)(random); }

    asio::awaitable<void> use(client& of, std::string key) {
        asio::steady_timer rest(context);
        while (!over) {
            const lock_options wanted{
                .ttl = chaos_ttl, .wait = 3s, .renew = between(0, 1) == 0, .fencing = true};
            auto token = asio::as_tuple(asio::use_awaitable);
            auto [failure, granted] = co_await of.async_lock(key, wanted, token);
            if (failure) {
                rest.expires_after(milliseconds(between(1, 50)));
                co_await rest.async_wait(asio::use_awaitable);
                continue;
            }
            ++grants;
            if (granted.valid()) {
                disorder += *granted.fencing_token() <= highest[key];
                highest[key] = std::max(highest[key], *granted.fencing_token());
            }
            const auto place = held.insert(held.end(), {key, std::move(granted)});
            look();
            rest.expires_after(milliseconds(between(0, 300)));
            co_await rest.async_wait(asio::use_awaitable);
            lease done = std::move(place->granted);
            held.erase(place);
            co_await done.async_unlock(asio::as_tuple(asio::use_awaitable));
        }
    }
    void look() {
        std::map<std::string, int> valid;
        for (const holding& one : held)
            if (one.granted.valid() && ++valid[one.key] > 1) ++overlaps;
    }

    void contend_while(const std::function<void()>& disturb) {
        BOOST_TEST_MESSAGE("seed " << seed);
        int running = 0;
        for (client& each : locks)
            for (const char* key : {"one", "two"}) {
                ++running;
                asio::co_spawn(context, use(each, key), [&](std::exception_ptr failure) {
                    BOOST_TEST(!failure);
                    --running;
                });
            }
        const auto finish = clock::now() + 12s;
        auto next = clock::now() + 500ms;
        run_until(60s, [&] {
            look();
            const auto now = clock::now();
            if (now >= next) {
                disturb();
                next = clock::now() + milliseconds(between(200, 1200));
            }
            return now >= finish;
        });
        const int before = grants;
        BOOST_TEST(run_until([&] { return grants > before + 20; }));
        over = true;
        BOOST_TEST(run_until([&] { return running == 0; }));
        BOOST_TEST(overlaps == 0);
        BOOST_TEST(disorder == 0);
        for (client& each : locks)
            close(each);
        BOOST_TEST(becomes_free("one"));
        BOOST_TEST(becomes_free("two"));
        BOOST_TEST_MESSAGE(grants << " grants");
    }

    const unsigned seed = std::random_device{}();
    std::mt19937 random{seed};
    std::list<client> locks;
    std::list<holding> held;
    std::map<std::string, std::uint64_t> highest;
    int overlaps = 0, disorder = 0, grants = 0;
    bool over = false;
};

BOOST_FIXTURE_TEST_SUITE(pair_chaos_suite, pair_chaos_test_fixture)

BOOST_AUTO_TEST_CASE(nodes_that_are_killed_and_come_back_without_data) {
    contend_while([&] {
        for (redis_server& node : nodes)
            if (between(0, 2) > 0) node.restart();
    });
}

BOOST_AUTO_TEST_CASE(a_database_that_crashes_and_forgets_who_holds_what) {
    contend_while([&] {
        if (between(0, 1) == 0) {
            database.crash();
            database.start();
        }
        if (database.query("SELECT to_regclass('redlock') IS NOT NULL").at(0) == "t") lose_in_database();
    });
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
