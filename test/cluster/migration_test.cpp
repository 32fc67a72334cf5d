// Slots that go from one server to another while locks are held.

#include "cluster_fixture.hpp"

namespace redlock::test {
namespace {

struct migration_fixture : cluster_fixture {
    explicit migration_fixture(cluster_options options = {}) : cluster_fixture(0, std::move(options)) {}

    const std::string key = key_of(0);
    const std::uint16_t slot = cluster.slot_of(key);
};

BOOST_FIXTURE_TEST_SUITE(migrations, migration_fixture)

BOOST_AUTO_TEST_CASE(a_key_is_followed_while_its_slot_is_on_the_way) {
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    lock_options fenced = patiently();
    fenced.fencing = true;
    lease before = lock(locks, key, fenced);
    cluster.begin_migration(slot, 0, 1);
    BOOST_TEST(try_lock(locks, key) == errc::held);
    cluster.migrate_keys(slot, 0, 1);
    BOOST_TEST(try_lock(locks, key) == errc::held);
    BOOST_TEST(!extend(before, 2 * long_ttl));
    BOOST_TEST(!unlock(before));
    BOOST_TEST(cluster.holders(key) == 0u);
    lease during = lock(locks, key, fenced);
    BOOST_TEST(during.fencing_token().value() > before.fencing_token().value());
    BOOST_TEST(cluster.holders(key) == 1u);
    cluster.end_migration(slot, 0, 1);
    BOOST_TEST(!unlock(during));
    BOOST_TEST(cluster.holders(key) == 0u);
    BOOST_TEST(try_lock(locks, key, patiently()) == error_code());
}

BOOST_AUTO_TEST_CASE(a_waiter_hears_of_a_key_that_has_moved) {
    client first(context.get_executor(), settings());
    client second(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(first));
    BOOST_REQUIRE(becomes_ready(second));
    lease held = lock(first, key, patiently());
    outcome<lease> waiting;
    second.async_lock(key, patiently(), waiting.handler());
    BOOST_TEST(run_until([&] { return listeners(0, key) == 1; }));
    cluster.begin_migration(slot, 0, 1);
    cluster.end_migration(slot, 0, 1);
    BOOST_TEST(run_until([&] { return listeners(1, key) == 1; }));
    BOOST_TEST(unlock(held) == error_code());
    BOOST_REQUIRE(run_until([&] { return waiting.done(); }));
    BOOST_TEST(!waiting.error());
    BOOST_TEST(!unlock(waiting.value()));
}

BOOST_AUTO_TEST_CASE(a_slot_that_has_moved_takes_no_votes_for_a_while) {
    client locks(context.get_executor(), settings(2s));
    BOOST_REQUIRE(becomes_ready(locks));
    for (const auto& one : {key, key_of(1)})
        BOOST_TEST(run_until([&] { return !try_lock(locks, one, briefly()); }));
    const std::string other = key_of(1);
    cluster.begin_migration(slot, 0, 1);
    cluster.end_migration(slot, 0, 1);
    const auto began = std::chrono::steady_clock::now();
    BOOST_TEST(run_until([&] { return try_lock(locks, key, briefly()) == errc::node_quarantined; }));
    BOOST_TEST(try_lock(locks, other, briefly()) == error_code());
    BOOST_TEST(run_until([&] { return !try_lock(locks, key, briefly()); }));
    // The guard, and for as long as the old owner may be believed.
    BOOST_TEST((std::chrono::steady_clock::now() - began >= 5s));
}

BOOST_AUTO_TEST_SUITE_END()

struct replicated_cluster : cluster_fixture {
    replicated_cluster() : cluster_fixture(0, {.replicas = 3}) {}
};

BOOST_FIXTURE_TEST_SUITE(cluster_promotion, replicated_cluster)

BOOST_AUTO_TEST_CASE(a_promoted_replica_has_the_locks_of_its_master) {
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    const std::string key = key_of(0);
    const std::string other = key_of(1);
    lease held = lock(locks, key);
    BOOST_TEST(run_until([&] { return cluster.replica(0).key_count() == 1; }));
    cluster.master(0).kill();
    BOOST_TEST(becomes(locks, "unavailable"));
    BOOST_TEST(!try_lock(locks, other)); // whose server is there
    BOOST_TEST(becomes(locks, "ready"));
    BOOST_TEST(try_lock(locks, key) == errc::held);
    BOOST_TEST(unlock(held) == error_code());
    BOOST_TEST(try_lock(locks, key, patiently()) == error_code());
}

BOOST_AUTO_TEST_CASE(a_promoted_replica_does_not_vote_before_the_guard_is_over) {
    config c = settings(2s);
    client locks(context.get_executor(), c);
    BOOST_REQUIRE(becomes_ready(locks));
    const std::string key = key_of(0);
    BOOST_TEST(run_until([&] { return !try_lock(locks, key, briefly()); }));
    cluster.master(0).kill();
    BOOST_TEST(becomes(locks, "unavailable"));
    BOOST_TEST(run_until([&] { return try_lock(locks, key, briefly()) == errc::node_quarantined; }));
    client fresh(context.get_executor(), c);
    BOOST_TEST(run_until([&] { return try_lock(fresh, key, briefly()) == errc::node_quarantined; }));
    BOOST_TEST(run_until([&] { return !try_lock(locks, key, briefly()); }));
    BOOST_TEST(run_until([&] { return !try_lock(fresh, key, briefly()); }));
}

BOOST_AUTO_TEST_CASE(a_replica_that_is_named_leads_to_the_masters) {
    config c = settings();
    c.nodes[0] = cluster.uri({4});
    client locks(context.get_executor(), c);
    BOOST_TEST(!try_lock(locks, key_of(1), patiently()));
}

BOOST_AUTO_TEST_CASE(masters_that_have_lost_their_majority_are_not_believed) {
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    const std::string key = key_of(0);
    for (const std::size_t i : {1u, 2u})
        cluster.master(i).kill(), cluster.replica(i).kill();
    BOOST_TEST(becomes(locks, "unavailable"));
    BOOST_TEST(run_until([&] {
        return has_word(locks, "does not know who has its slots: 1 of its masters say so, and 2 are needed");
    }));
    BOOST_TEST(try_lock(locks, key) == errc::no_quorum);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
