// Ten clients that contend for keys while one of the two engines forgets what it has promised, again and
// again: the other one keeps its promise, so no two hold a key at once.

#include "engine/contention.hpp"
#include "pair_fixture.hpp"

#include <functional>

namespace redlock::test {
namespace {

struct pair_chaos_test_fixture : pair_fixture {
    pair_chaos_test_fixture() {
        for (std::size_t i = 0; i < client_count; ++i)
            clients.connect(i, settings());
    }
    void contend_while(const std::function<void()>& disturb) {
        clients.run(12s, disturb);
        clients.end();
        BOOST_TEST(becomes_free("one"));
        BOOST_TEST(becomes_free("two"));
    }

    static constexpr std::size_t client_count = 10;
    contention clients{*this, {.clients = client_count, .wait = 3s, .ttl = 1200ms}};
};

BOOST_FIXTURE_TEST_SUITE(pair_chaos_suite, pair_chaos_test_fixture)

BOOST_AUTO_TEST_CASE(nodes_that_are_killed_and_come_back_without_data) {
    contend_while([&] {
        for (redis_server& node : nodes)
            if (clients.between(0, 2) > 0) node.restart();
    });
}

BOOST_AUTO_TEST_CASE(a_database_that_crashes_and_forgets_who_holds_what) {
    contend_while([&] {
        if (clients.between(0, 1) == 0) {
            database.crash();
            database.start();
        }
        if (database.query("SELECT to_regclass('redlock') IS NOT NULL").at(0) == "t") lose_in_database();
    });
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
