// A key that an unlock leaves for others to find.

#include "etcd_fixture.hpp"
#include "support/fault_proxy.hpp"

namespace redlock::test {
namespace {

using milliseconds = std::chrono::milliseconds;

lock_options kept(milliseconds time) { return {.ttl = 20s, .keep = time}; }

struct etcd_keep_fixture : etcd_fixture {
    milliseconds remaining() { return inspect(others).nodes.at(0).remaining.value(); }

    client locks = make_client(), others = make_client();
};

BOOST_FIXTURE_TEST_SUITE(keep_suite, etcd_keep_fixture)

BOOST_AUTO_TEST_CASE(an_unlock_leaves_the_key_for_that_long_behind_the_grant) {
    lease beside = lock(locks, "beside", patiently(1s)); // whose lease of the server goes on
    lease held = lock(locks, "key", {.ttl = 1s, .keep = long_ttl});
    BOOST_REQUIRE(run_until([&] { return locks.metrics().renewals >= 4; }));
    BOOST_TEST(!unlock(held));
    BOOST_TEST(!held.valid());
    BOOST_TEST((remaining() > long_ttl - 60s));
    BOOST_TEST((remaining() <= long_ttl));
    BOOST_TEST(try_lock(others) == errc::held);
    BOOST_TEST(try_lock(locks) == errc::held);
}

BOOST_AUTO_TEST_CASE(the_next_gets_it_when_that_time_is_over_and_not_before) {
    const auto before = std::chrono::steady_clock::now();
    lease held = lock(locks, "key", kept(2500ms));
    BOOST_TEST(!unlock(held));
    lease next = lock(others);
    BOOST_TEST((std::chrono::steady_clock::now() >= before + 2500ms));
    BOOST_TEST(next.valid());
}

BOOST_AUTO_TEST_CASE(a_lease_that_was_held_for_longer_leaves_nothing) {
    lease held = lock(locks, "key", {.ttl = 900ms, .keep = 200ms});
    BOOST_REQUIRE(run_until([&] { return locks.metrics().renewals >= 2; }));
    BOOST_TEST(!unlock(held));
    BOOST_TEST(keys() == 0u);
}

BOOST_AUTO_TEST_CASE(the_key_outlives_the_client_that_closed_behind_the_unlock) {
    lease held = lock(locks, "key", kept(long_ttl));
    outcome<> unlocked;
    held.async_unlock(unlocked.handler());
    close(locks);
    BOOST_REQUIRE(unlocked.done());
    BOOST_TEST(!unlocked.error());
    BOOST_TEST(leases() == 1u);
    BOOST_TEST(try_lock(others) == errc::held);
}

BOOST_AUTO_TEST_CASE(a_client_that_closes_before_the_unlock_leaves_nothing) {
    const lease held = lock(locks, "key", kept(long_ttl));
    close(locks);
    BOOST_TEST(keys() == 0u);
}

BOOST_AUTO_TEST_CASE(what_the_cluster_was_not_told_it_is_told_when_it_is_back) {
    fault_proxy network{cluster.port()};
    config c = settings(cluster.uri_over({network.port()}));
    c.node_timeout = 300ms;
    client distant(context.get_executor(), c);
    lease held = lock_briefly(distant, "key", kept(long_ttl));
    network.lose(direction::to_server);
    BOOST_TEST(unlock(held) == errc::no_quorum);
    BOOST_TEST((remaining() < 60s));
    network.pass();
    BOOST_TEST(run_until([&] { return remaining() > long_ttl / 2; }));
    BOOST_TEST(try_lock(others) == errc::held);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
