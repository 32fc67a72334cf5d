// A cluster that crashes, stops, is cut off, and loses its leader.

#include "etcd_fixture.hpp"
#include "support/fault_proxy.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace redlock::test {
namespace {

namespace asio = boost::asio;

struct etcd_fault_fixture : etcd_fixture {
    /// With a network of its own.
    client make_distant_client(std::chrono::milliseconds patience = 500ms) {
        config c = settings(cluster.uri_over({network.port()}));
        c.node_timeout = patience;
        return client(context.get_executor(), c);
    }

    fault_proxy network{cluster.port()};
    client locks = make_client();
};

BOOST_FIXTURE_TEST_SUITE(fault_suite, etcd_fault_fixture)

BOOST_AUTO_TEST_CASE(a_lease_outlives_a_crash_of_the_cluster) {
    lease held = lock(locks, "key", fenced(20s));
    cluster.kill(0);
    cluster.start(0);
    cluster.await_ready();
    BOOST_TEST(reconnects(locks));
    outcome<> extended;
    held.async_extend(20s, extended.handler());
    complete(extended);
    BOOST_TEST(!extended.error());
    client others = make_client();
    BOOST_TEST(try_lock(others) == errc::held);
    BOOST_TEST(!unlock(held));
    BOOST_TEST(!try_lock(others));
}

BOOST_AUTO_TEST_CASE(a_cluster_that_is_away_is_no_quorum_and_says_why) {
    BOOST_REQUIRE(!try_lock(locks));
    cluster.kill(0);
    BOOST_TEST(run_until([&] { return locks.metrics().nodes.at(0).state == "unavailable"; }));
    BOOST_TEST(try_lock(locks) == errc::no_quorum);
    BOOST_TEST(locks.metrics().nodes.at(0).last_error_text.find(std::to_string(cluster.port())) !=
               std::string::npos);
    cluster.start(0);
    BOOST_TEST(run_until([&] { return !try_lock(locks); }));
}

BOOST_AUTO_TEST_CASE(who_waits_keeps_his_place_when_the_cluster_comes_back) {
    client second = make_client(), third = make_client();
    lease held = lock(locks);
    outcome<lease> before, behind;
    second.async_lock("key", patiently(), before.handler());
    BOOST_REQUIRE(waits(locks, 1));
    third.async_lock("key", patiently(), behind.handler());
    BOOST_REQUIRE(waits(locks, 2));
    cluster.kill(0);
    cluster.start(0);
    BOOST_TEST(reconnects(locks));
    BOOST_TEST((!before.done() && !behind.done()));
    BOOST_TEST(!unlock(held));
    complete(before);
    BOOST_TEST(!before.error());
    BOOST_TEST(!behind.done());
    BOOST_TEST(!unlock(before.value()));
    complete(behind);
    BOOST_TEST(!behind.error());
}

BOOST_AUTO_TEST_CASE(a_stopped_cluster_is_given_up_in_time_and_keeps_no_key_of_a_late_grant) {
    client distant = make_distant_client();
    BOOST_REQUIRE(run_until([&] { return !try_lock(distant); }));
    cluster.stop(0);
    const auto since = std::chrono::steady_clock::now();
    BOOST_TEST(try_lock(distant, "late") == errc::no_quorum);
    BOOST_TEST((std::chrono::steady_clock::now() - since < 5s));
    cluster.resume(0);
    BOOST_TEST(becomes_free());
    BOOST_TEST(!try_lock(locks, "late"));
}

BOOST_AUTO_TEST_CASE(a_lost_reply_leaves_nothing_behind) {
    client distant = make_distant_client();
    BOOST_REQUIRE(run_until([&] { return !try_lock(distant); }));
    network.freeze(direction::to_client);
    BOOST_TEST(try_lock(distant, "unheard") == errc::no_quorum);
    BOOST_TEST(run_until([&] { return keys() == 1; }));
    network.pass();
    BOOST_TEST(becomes_free());
    // What makes it void for good goes with the lease of the server.
    close(distant);
    BOOST_TEST(all_keys() == 0u);
}

// It may have hours to live, and nobody uses it.
BOOST_AUTO_TEST_CASE(a_lease_of_the_server_whose_grant_was_not_heard_ends_once_the_cluster_is_back) {
    client distant = make_distant_client();
    BOOST_REQUIRE(run_until([&] { return !try_lock(distant); }));
    BOOST_TEST(leases() == 1u);
    network.lose(direction::to_client);
    const lock_options alone{.ttl = long_ttl, .wait = 0ms, .renew = false};
    BOOST_TEST(try_lock(distant, "unheard", alone) == errc::no_quorum);
    BOOST_TEST(run_until([&] { return leases() == 2; }));
    // Longer than it takes to fail.
    const std::uint64_t tries = distant.metrics().nodes.at(0).timeouts;
    BOOST_REQUIRE(run_until([&] { return distant.metrics().nodes.at(0).timeouts >= tries + 2; }));
    network.pass();
    BOOST_TEST(run_until([&] { return leases() == 1; }));
}

// The request arrives behind what makes it void.
BOOST_AUTO_TEST_CASE(a_request_that_comes_late_writes_nothing) {
    fault_proxy other{cluster.port()};
    config c = settings(cluster.uri_over({network.port(), other.port()}));
    c.node_timeout = 500ms;
    client distant(context.get_executor(), c);
    BOOST_REQUIRE(run_until([&] { return !try_lock(distant); }));
    network.freeze(direction::to_server);
    other.freeze(direction::to_server);
    BOOST_TEST(try_lock(distant, "late") == errc::no_quorum);
    other.thaw();
    BOOST_TEST(run_until([&] { return all_keys() == 1 && keys() == 0; }));
    network.thaw();
    BOOST_TEST(run_until([&] { return !try_lock(locks, "late"); }));
    BOOST_TEST(keys() == 0u);
}

BOOST_AUTO_TEST_CASE(a_lost_release_is_made_good) {
    client distant = make_distant_client();
    lease held = lock_briefly(distant, "key", patiently());
    network.freeze(direction::to_server);
    BOOST_TEST(unlock(held) == errc::no_quorum);
    BOOST_TEST(keys() == 1u);
    network.pass();
    BOOST_TEST(becomes_free());
}

BOOST_AUTO_TEST_CASE(a_lease_that_cannot_be_renewed_is_lost_before_its_key_ends) {
    client distant = make_distant_client();
    lease held = lock_briefly(distant, "key", patiently(1500ms));
    network.black_hole();
    outcome<> lost;
    held.async_wait_lost(lost.handler());
    complete(lost);
    BOOST_TEST(!lost.error());
    BOOST_TEST(held.stop_token().stop_requested());
    lease next = lock(locks);
    BOOST_TEST(!held.valid());
}

// Cancelled behind each handler that runs for it, cut off at each, it leaves no key.
BOOST_DATA_TEST_CASE_F(etcd_fault_fixture, a_lock_that_is_interrupted_at_any_step_leaves_nothing_behind,
                       boost::unit_test::data::make({false, true}), reads) {
    lease before = lock(locks, "waited for");
    for (const char* const key : {"free", "waited for"})
        for (const int how : {0, 1, 2})
            for (int steps = 0; steps < 12; ++steps)
                BOOST_TEST_CONTEXT(key << ", way " << how << " after " << steps << " steps") {
                    event_loop own;
                    auto distant = std::make_unique<client>(own.context.get_executor(),
                                                            settings(cluster.uri_over({network.port()})));
                    // One that waits for a connection first, and one that has it.
                    if (steps % 2 == 0) {
                        outcome<key_report> looked;
                        distant->async_inspect("key", looked.handler());
                        BOOST_REQUIRE(own.run_until([&] { return looked.done(); }));
                    }
                    asio::cancellation_signal cancel;
                    outcome<lease> wanted;
                    distant->async_lock(
                        key, {.ttl = 1s, .wait = 300ms, .mode = reads ? mode::read : mode::exclusive},
                        asio::bind_cancellation_slot(cancel.slot(), wanted.handler()));
                    for (int i = 0; i < steps && !wanted.done(); ++i)
                        own.context.run_one_for(20ms);
                    if (how == 0) cancel.emit(asio::cancellation_type::terminal);
                    if (how == 1) network.reset_connections();
                    if (how == 2) distant.reset();
                    BOOST_TEST(own.run_until([&] { return wanted.done(); }));
                    BOOST_TEST(wanted.completions() == 1);
                    wanted.drop_values();
                    BOOST_TEST(own.run_until([&] { return keys() == 1; }));
                }
}

BOOST_AUTO_TEST_SUITE_END()

struct three_members : etcd_fixture {
    three_members() : etcd_fixture(etcd_options{.members = 3}) {}
    client locks = make_client(), others = make_client();
};

BOOST_FIXTURE_TEST_SUITE(three_members_suite, three_members)

BOOST_AUTO_TEST_CASE(a_lease_and_a_place_outlive_the_leader) {
    lease held = lock(locks, "key", fenced(20s));
    outcome<lease> next;
    others.async_lock("key", fenced(20s), next.handler());
    BOOST_REQUIRE(waits(locks, 1));
    const std::size_t leader = cluster.leader();
    cluster.kill(leader);
    cluster.leader_beside(leader);
    BOOST_TEST(run_until([&] { return check(locks, *held.fencing_token()) == error_code(); }));
    BOOST_TEST(held.valid());
    BOOST_TEST(!next.done());
    BOOST_TEST(run_until([&] { return !unlock(held); }));
    complete(next);
    BOOST_TEST(!next.error());
    BOOST_TEST(*next.value().fencing_token() > *held.fencing_token());
}

// It has leases revoked whose life is over by what it knew before, whatever was promised since.
BOOST_AUTO_TEST_CASE(a_leader_that_stood_still_takes_no_key_from_its_holder) {
    const std::size_t leader = cluster.leader();
    std::vector<std::uint16_t> followers;
    for (std::size_t i = 0; i < cluster.size(); ++i)
        if (i != leader) followers.push_back(cluster.port(i));
    client locks(context.get_executor(), settings(cluster.uri_over(followers)));
    client others(context.get_executor(), settings(cluster.uri_over(followers)));
    lease held = lock(locks, "key", fenced(5s)), other = lock(locks, "other", fenced(5s));
    outcome<lease> next, behind_other;
    others.async_lock("key", fenced(5s), next.handler());
    others.async_lock("other", fenced(5s), behind_other.handler());
    BOOST_REQUIRE(waits(locks, 1));
    BOOST_REQUIRE(waits(locks, 1, "other"));
    cluster.stop(leader);
    cluster.leader_beside(leader);
    const auto renewals = locks.metrics().renewals;
    BOOST_TEST(run_until([&] { return locks.metrics().renewals >= renewals + 8; }));

    BOOST_TEST(!unlock(other));
    complete(behind_other);
    BOOST_REQUIRE(!behind_other.error());
    cluster.resume(leader);
    BOOST_TEST(run_until([&] { return locks.metrics().renewals >= renewals + 12; }));
    BOOST_TEST(held.valid());
    BOOST_TEST(behind_other.value().valid());
    BOOST_TEST(check(locks, *held.fencing_token()) == error_code());
    BOOST_TEST(check(others, *behind_other.value().fencing_token(), "other") == error_code());
    BOOST_TEST(!next.done());
    BOOST_TEST(locks.metrics().lost_by_majority + others.metrics().lost_by_majority == 0u);
    BOOST_TEST(!unlock(held));
    complete(next);
    BOOST_TEST(!next.error());
}

BOOST_AUTO_TEST_CASE(a_member_that_is_cut_off_is_left_for_another) {
    lease held = lock(locks, "key", patiently(5s));
    const std::size_t leader = cluster.leader();
    cluster.cut_off(leader);
    cluster.leader_beside(leader);
    const auto renewals = locks.metrics().renewals;
    BOOST_TEST(run_until([&] { return locks.metrics().renewals >= renewals + 4; }));
    BOOST_TEST(held.valid());
    BOOST_TEST(run_until([&] { return try_lock(others) == errc::held; }));
    cluster.join();
}

BOOST_AUTO_TEST_CASE(without_a_majority_a_lease_is_lost_before_anybody_else_gets_it) {
    lease held = lock(locks, "key", patiently(2s));
    cluster.stop(0);
    cluster.stop(1);
    outcome<> lost;
    held.async_wait_lost(lost.handler());
    complete(lost);
    cluster.resume(0);
    cluster.resume(1);
    cluster.await_ready(); // whoever has only just come is told that no majority answers
    lease next = lock(others);
    BOOST_TEST(!held.valid());
    BOOST_TEST(next.valid());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
