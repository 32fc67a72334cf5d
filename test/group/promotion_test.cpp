// What becomes of locks when another server becomes the master of a group.

#include "group_fixture.hpp"

namespace redlock::test {
namespace {

BOOST_FIXTURE_TEST_SUITE(sentinel_promotion, group_fixture)

BOOST_AUTO_TEST_CASE(the_new_master_is_followed_and_a_lease_goes_on_there) {
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    lease held = lock(locks, "key", {.ttl = 60s});
    group.begin_fail_over();
    BOOST_REQUIRE(moves_to(locks, group.server(1)));
    BOOST_TEST(becomes_ready(locks));
    BOOST_TEST(group.leads(group.server(1)));
    BOOST_TEST(held.valid());
    BOOST_TEST(try_lock(locks, "other") == error_code());
    BOOST_TEST(!unlock(held));
    BOOST_TEST(run_until([&] { return !group.server(1).exists("key"); }));
}

// The renewal would have come after twenty seconds.
BOOST_AUTO_TEST_CASE(a_key_that_the_new_master_lacks_is_put_back_at_once) {
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    lease held = lock(locks, "key", {.ttl = 60s});
    // As if it had not heard of it in time.
    group.server(1).command({"CONFIG", "SET", "replica-read-only", "no"});
    BOOST_REQUIRE(eventually([&] { return group.server(1).exists("key"); }));
    group.server(1).command({"DEL", "key"});
    group.begin_fail_over();
    BOOST_REQUIRE(moves_to(locks, group.server(1)));
    BOOST_TEST(run_until(10s, [&] { return group.server(1).exists("key"); }));
    BOOST_TEST(run_until([&] { return locks.metrics().repairs >= 1u; }));
    BOOST_TEST(held.valid());
}

BOOST_AUTO_TEST_CASE(a_lease_that_a_majority_lacks_by_then_is_lost_at_once) {
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    lease held = lock(locks, "key", {.ttl = 60s});
    nodes[0].command({"DEL", "key"});
    group.server(1).command({"CONFIG", "SET", "replica-read-only", "no"});
    BOOST_REQUIRE(eventually([&] { return group.server(1).exists("key"); }));
    group.server(1).command({"DEL", "key"});
    group.begin_fail_over();
    BOOST_REQUIRE(moves_to(locks, group.server(1)));
    BOOST_TEST(run_until(10s, [&] { return !held.valid(); }));
}

BOOST_AUTO_TEST_CASE(a_promoted_server_does_not_vote_until_all_is_over_that_it_may_have_lost) {
    constexpr auto guard = 2s;
    client locks(context.get_executor(), settings(guard));
    BOOST_REQUIRE(becomes_ready(locks));
    const auto began = std::chrono::steady_clock::now();
    group.begin_fail_over();
    BOOST_REQUIRE(moves_to(locks, group.server(1)));
    BOOST_TEST(becomes(locks, "quarantined"));
    BOOST_TEST(
        has_word(locks, "has a new master, and stays out for restart_guard (2000 ms) and 3000 ms more"),
        node(locks).last_error_text);
    // One that comes later knows it from the Sentinels alone.
    client newcomer(context.get_executor(), settings(guard));
    BOOST_TEST(becomes(newcomer, "quarantined"));
    BOOST_TEST(becomes(locks, "ready"));
    BOOST_TEST(becomes(newcomer, "ready"));
    BOOST_TEST((std::chrono::steady_clock::now() - began > guard));
}

BOOST_AUTO_TEST_CASE(a_master_that_leads_for_long_votes_at_once) {
    constexpr auto guard = 1s;
    client early(context.get_executor(), settings(guard));
    BOOST_REQUIRE(becomes_ready(early));
    client locks(context.get_executor(), settings(guard));
    BOOST_REQUIRE(becomes_ready(locks));
    BOOST_TEST(node(locks).quarantines == 0u);
}

BOOST_AUTO_TEST_CASE(a_master_that_dies_is_done_without_until_another_takes_its_place) {
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    lease held = lock(locks, "key");
    group.server(0).kill();
    BOOST_TEST(!try_lock(locks, "other"));
    BOOST_REQUIRE(moves_to(locks, group.server(1)));
    BOOST_TEST(becomes_ready(locks));
    nodes[0].kill();
    BOOST_TEST(!try_lock(locks, "third"));
    BOOST_TEST(held.valid());
}

BOOST_AUTO_TEST_CASE(a_master_that_stands_still_is_replaced_and_not_heeded_when_it_goes_on) {
    config c = settings();
    c.node_timeout = 300ms;
    client locks(context.get_executor(), c);
    BOOST_REQUIRE(becomes_ready(locks));
    group.server(0).stop();
    BOOST_REQUIRE(moves_to(locks, group.server(1)));
    group.server(0).resume();
    BOOST_TEST(becomes_ready(locks));
    lease held = lock(locks, "key");
    BOOST_TEST(group.server(1).exists("key"));
    BOOST_TEST(node(locks).master == "127.0.0.1:" + std::to_string(group.server(1).port()));
}

BOOST_AUTO_TEST_SUITE_END()

/// The Sentinels log in as somebody who can be shut out.
struct partition_fixture : group_fixture {
    partition_fixture()
        : group_fixture({.password = "hunter2",
                         .server_directives = {"user watcher on >hunter2 ~* &* +@all"},
                         .sentinel_directives = {"sentinel auth-user group watcher"}}) {}
};

BOOST_FIXTURE_TEST_SUITE(sentinel_partition, partition_fixture)

// Whoever is connected to it could go on for ever: it does not know that it is none any more.
BOOST_AUTO_TEST_CASE(a_master_that_its_sentinels_cannot_reach_is_left_for_the_new_one) {
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    lease held = lock(locks, "key", {.ttl = 60s});
    group.server(0).command({"ACL", "SETUSER", "watcher", "off"});
    group.server(0).command({"CLIENT", "KILL", "USER", "watcher"});
    BOOST_REQUIRE(moves_to(locks, group.server(1)));
    BOOST_TEST(becomes_ready(locks));
    BOOST_TEST(group.server(0).info("role") == "master");
    lease other = lock(locks, "other");
    BOOST_TEST(group.server(1).exists("other"));
    BOOST_TEST(!group.server(0).exists("other"));
    BOOST_TEST(held.valid());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
