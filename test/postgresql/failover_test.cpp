// A standby that takes over.

#include "postgres_fixture.hpp"
#include "support/eventually.hpp"

namespace redlock::test {
namespace {

struct failover_fixture : event_loop {
    postgres_server primary;
    postgres_server standby{postgres_server::standby_of{primary}};
};

BOOST_FIXTURE_TEST_SUITE(failover, failover_fixture)

BOOST_AUTO_TEST_CASE(a_standby_is_refused_and_a_promoted_one_grants_behind_the_guard_with_higher_tokens) {
    config c;
    // Both, as libpq lists them: the one that takes writes is used.
    c.nodes = {"postgresql://redlock@127.0.0.1:" + std::to_string(standby.port()) +
               ",127.0.0.1:" + std::to_string(primary.port()) + "/postgres"};
    c.node_timeout = 2s;
    c.restart_guard = 3s;
    client locks(context.get_executor(), c);
    const auto take = [&](lock_options options) {
        outcome<lease> result;
        locks.async_lock("key", options, result.handler());
        BOOST_REQUIRE(run_until([&] { return result.done(); }));
        return result.error() ? std::uint64_t(0) : *result.value().fencing_token();
    };
    const lock_options wanted{.ttl = 2s, .wait = 0ms, .fencing = true};
    std::uint64_t before = 0;
    BOOST_REQUIRE(run_until([&] { return (before = take(wanted)) != 0; }));
    BOOST_REQUIRE(eventually(
        [&] { return standby.query("SELECT count(*) FROM redlock WHERE key = 'key'").at(0) == "1"; }));
    primary.crash();
    standby.promote();
    BOOST_TEST(run_until([&] { return locks.metrics().nodes.at(0).state == "quarantined"; }));
    BOOST_TEST(take(wanted) == 0u);
    std::uint64_t after = 0;
    BOOST_TEST(run_until([&] { return (after = take(wanted)) != 0; }));
    // The timeline stands before the counter.
    BOOST_TEST((after >> 44) == (before >> 44) + 1);

    // Who has never seen the other timeline learns of it from the table.
    c.restart_guard = 1h;
    client newcomer(context.get_executor(), c);
    BOOST_TEST(run_until([&] { return newcomer.metrics().nodes.at(0).quarantined; }));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
