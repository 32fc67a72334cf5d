// Locks in a real etcd cluster.

#include "etcd_fixture.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <set>
#include <string>
#include <vector>

namespace redlock::test {
namespace {

namespace asio = boost::asio;

struct engine_test_fixture : etcd_fixture {
    client locks = make_client(), others = make_client();
};

BOOST_FIXTURE_TEST_SUITE(engine_suite, engine_test_fixture)

BOOST_AUTO_TEST_CASE(a_lock_is_a_key_that_others_cannot_take_until_it_is_given_back) {
    lease held = lock(locks);
    BOOST_TEST(held.valid());
    BOOST_TEST(try_lock(others) == errc::held);
    BOOST_TEST(keys() == 1u);
    BOOST_TEST(!unlock(held));
    BOOST_TEST(keys() == 0u);
    BOOST_TEST(!try_lock(others));
}

BOOST_AUTO_TEST_CASE(the_validity_is_shorter_than_the_lease_of_the_server_lives) {
    lease held = lock(locks, "key", patiently(2500ms));
    BOOST_TEST(held.remaining() < 2500ms);
    // In whole seconds, but for those that have passed.
    const auto left = inspect(others).nodes.at(0).remaining.value();
    BOOST_TEST((left + 1s > held.remaining()));
    BOOST_TEST((left <= 3s));
}

BOOST_AUTO_TEST_CASE(who_waits_is_served_in_the_order_of_asking_across_clients) {
    lease held = lock(locks);
    client third = make_client();
    outcome<lease> second_place, third_place;
    others.async_lock("key", patiently(), second_place.handler());
    BOOST_REQUIRE(waits(locks, 1));
    third.async_lock("key", patiently(), third_place.handler());
    BOOST_REQUIRE(waits(locks, 2));
    BOOST_TEST(!unlock(held));
    complete(second_place);
    BOOST_TEST(!third_place.done());
    BOOST_TEST(!unlock(second_place.value()));
    complete(third_place);
    BOOST_TEST(!unlock(third_place.value()));
    BOOST_TEST(keys() == 0u);
}

BOOST_AUTO_TEST_CASE(who_waits_is_told_of_the_release_and_does_not_wait_for_the_end_of_the_lease) {
    lease held = lock(locks);
    outcome<lease> next;
    others.async_lock("key", patiently(), next.handler());
    BOOST_REQUIRE(waits(locks, 1));
    BOOST_TEST(!unlock(held));
    complete(next);
    BOOST_TEST(!next.error());
    BOOST_TEST(next.value().valid());
    BOOST_TEST(others.metrics().remote_handoffs == 1u);
}

BOOST_AUTO_TEST_CASE(a_key_of_a_dead_holder_is_taken_when_it_ends_and_not_before) {
    {
        event_loop doomed;
        client dies(doomed.context.get_executor(), settings());
        outcome<lease> granted;
        dies.async_lock("key", patiently(700ms), granted.handler());
        BOOST_REQUIRE(doomed.run_until([&] { return granted.done(); }));
        BOOST_REQUIRE(!granted.error());
        // Its loop goes, and with it whoever could renew or give back.
    }
    const auto since = std::chrono::steady_clock::now();
    BOOST_TEST(try_lock(others) == errc::held);
    lease held = lock(others);
    BOOST_TEST(held.valid());
    BOOST_TEST((std::chrono::steady_clock::now() - since < 5s));
}

BOOST_AUTO_TEST_CASE(a_wait_that_is_over_ends_with_its_own_code) {
    lease held = lock(locks);
    BOOST_TEST(try_lock(others, "key", {.ttl = long_ttl, .wait = 100ms}) == errc::wait_timeout);
}

BOOST_AUTO_TEST_CASE(a_lease_is_renewed_for_longer_than_its_key_would_live) {
    lease held = lock(locks, "key", patiently(300ms));
    BOOST_TEST(run_until([&] { return locks.metrics().renewals >= 4; }));
    BOOST_TEST(held.valid());
    BOOST_TEST(try_lock(others) == errc::held);
}

BOOST_AUTO_TEST_CASE(a_lock_delay_keeps_others_out_behind_an_unclean_end) {
    lease held = lock(locks, "key", {.ttl = 300ms, .renew = false, .lock_delay = 600s});
    outcome<> lost;
    held.async_wait_lost(lost.handler());
    complete(lost);
    BOOST_TEST(run_until([&] { return !held.valid(); }));
    BOOST_TEST(try_lock(others) == errc::held);
}

BOOST_AUTO_TEST_CASE(fencing_tokens_rise_from_grant_to_grant_and_key_to_key) {
    std::uint64_t last = 0;
    for (int i = 0; i < 10; ++i) {
        lease held = lock(i % 2 == 0 ? locks : others, i % 3 == 0 ? "key" : "other", fenced());
        BOOST_TEST(held.fencing_token().value() > last);
        last = *held.fencing_token();
        BOOST_TEST(!check(others, last, i % 3 == 0 ? "key" : "other"));
        BOOST_TEST(!unlock(held));
        BOOST_TEST(check(others, last, i % 3 == 0 ? "key" : "other") == errc::lease_lost);
    }
}

BOOST_AUTO_TEST_CASE(a_lease_that_is_handed_on_here_gets_a_token_of_its_own) {
    lease first = lock(locks, "key", fenced());
    const std::uint64_t token = *first.fencing_token();
    outcome<lease> next;
    locks.async_lock("key", fenced(), next.handler());
    BOOST_TEST(!unlock(first));
    complete(next);
    BOOST_TEST(!next.error());
    BOOST_TEST(*next.value().fencing_token() > token);
    BOOST_TEST(check(others, token) == errc::lease_lost);
    BOOST_TEST(!check(others, *next.value().fencing_token()));
}

BOOST_AUTO_TEST_CASE(keys_may_have_any_bytes_up_to_the_limit) {
    for (const std::string& key : {std::string("a'b\"c\\d"), std::string("\xff\xfe\x00z", 4),
                                   std::string(2048, 'k'), std::string(4096, 'k'), std::string(4096, '/')}) {
        lease held = lock(locks, key, fenced());
        BOOST_TEST(try_lock(others, key) == errc::held);
        BOOST_TEST(!check(others, *held.fencing_token(), key));
        BOOST_TEST(inspect(others, key).holder.has_value());
        BOOST_TEST(!unlock(held));
    }
    BOOST_TEST(try_lock(locks, std::string(4097, 'k')) == errc::invalid_key);
}

BOOST_AUTO_TEST_CASE(many_keys_live_under_one_lease_of_the_server) {
    constexpr int count = 600;
    std::vector<outcome<lease>> all(count);
    for (int i = 0; i < count; ++i)
        locks.async_lock("key" + std::to_string(i), once(), all[static_cast<std::size_t>(i)].handler());
    for (auto& each : all) {
        complete(each);
        BOOST_TEST(!each.error());
    }
    BOOST_TEST(keys() == std::size_t{count});
    BOOST_TEST(leases() == 1u);
    all.clear();
    BOOST_TEST(becomes_free());
}

// The server goes through all of them, also those of keys that were deleted.
BOOST_AUTO_TEST_CASE(a_queue_sees_few_names_however_often_its_lock_is_held) {
    client locks = make_client();
    std::set<std::string> names;
    for (int i = 0; i < 20; ++i) {
        lease held = lock(locks);
        names.insert(cluster.keys("redlock/").at(0));
        BOOST_TEST(!unlock(held));
    }
    BOOST_TEST(names.size() == 1u);
}

BOOST_AUTO_TEST_CASE(several_keys_and_permits_are_made_of_leases) {
    outcome<lease_set> both;
    locks.async_lock_all({"a", "b"}, once(), both.handler());
    complete(both);
    BOOST_TEST(!both.error());
    BOOST_TEST(try_lock(others, "a") == errc::held);
    both.drop_values();
    BOOST_TEST(becomes_free());

    lease one = lock(locks, "pool", {.ttl = long_ttl, .permits = 2});
    lease two = lock(others, "pool", {.ttl = long_ttl, .permits = 2});
    BOOST_TEST(one.slot() != two.slot());
    BOOST_TEST(try_lock(others, "pool", {.ttl = long_ttl, .wait = 0ms, .permits = 2}) == errc::held);
}

BOOST_AUTO_TEST_CASE(a_cancelled_wait_leaves_nothing_behind) {
    lease held = lock(locks);
    asio::cancellation_signal cancel;
    outcome<lease> waiting;
    others.async_lock("key", patiently(), asio::bind_cancellation_slot(cancel.slot(), waiting.handler()));
    BOOST_REQUIRE(waits(locks, 1));
    cancel.emit(asio::cancellation_type::terminal);
    complete(waiting);
    BOOST_TEST(waiting.error() == asio::error::operation_aborted);
    BOOST_TEST(!unlock(held));
    BOOST_TEST(becomes_free()); // a try that was under way is given back
    // Nobody pays for a waiter that is gone.
    BOOST_TEST(waits(locks, 0));
}

BOOST_AUTO_TEST_CASE(who_reads_that_his_key_was_removed_has_lost_it) {
    lease held = lock(locks, "key", patiently(900ms));
    outcome<> lost;
    held.async_wait_lost(lost.handler());
    BOOST_REQUIRE(run_until([&] { return locks.metrics().renewals > 0; }));
    const std::string key = cluster.keys("redlock/").at(0);
    cluster.control({"del", key});
    complete(lost);
    BOOST_TEST(!held.valid());
    BOOST_TEST(unlock(held) == errc::lease_lost);
}

// Behind the removal the cluster forgets that it happened, and that before anybody watched.
BOOST_AUTO_TEST_CASE(a_removal_that_the_cluster_has_forgotten_is_found_by_looking) {
    lease held = lock(locks, "key", patiently(3s));
    cluster.control({"del", cluster.keys("redlock/").at(0)});
    const std::string status = cluster.control({"get", "key", "-w", "json"});
    const std::size_t revision = status.find("\"revision\":") + 11;
    cluster.control({"compaction", status.substr(revision, status.find_first_of(",}", revision) - revision)});
    outcome<> lost;
    held.async_wait_lost(lost.handler());
    complete(lost);
    BOOST_TEST(locks.metrics().lost_by_majority == 1u);
}

BOOST_AUTO_TEST_CASE(what_was_held_is_lost_when_the_server_does_not_know_its_lease) {
    lease one = lock(locks, "one", patiently(900ms)), two = lock(locks, "two", patiently(900ms));
    const std::string listed = cluster.control({"lease", "list"});
    const std::string id = listed.substr(listed.find('\n') + 1, listed.rfind('\n') - listed.find('\n') - 1);
    cluster.control({"lease", "revoke", id});
    BOOST_TEST(run_until([&] { return !one.valid() && !two.valid(); }));
    // Another one is granted for whoever comes next.
    lease held = lock(locks, "one", patiently(900ms));
    BOOST_TEST(held.valid());
    BOOST_TEST(run_until([&] { return locks.metrics().renewals >= 4; }));
    BOOST_TEST(held.valid());
}

BOOST_AUTO_TEST_CASE(a_lease_can_be_made_longer_and_shorter_and_is_under_another_of_the_server_then) {
    lease held = lock(locks, "key", fenced(2s));
    for (const auto ttl : {20s, 3s}) {
        outcome<> extended;
        held.async_extend(ttl, extended.handler());
        complete(extended);
        BOOST_TEST(!extended.error());
        BOOST_TEST((held.remaining() > ttl - 2s));
        const auto seen = inspect(others).nodes.at(0);
        BOOST_TEST((*seen.remaining <= ttl));
        BOOST_TEST(!check(others, *held.fencing_token()));
    }
    BOOST_TEST(try_lock(others) == errc::held);
    BOOST_TEST(!unlock(held));
    BOOST_TEST(keys() == 0u);
}

BOOST_AUTO_TEST_CASE(a_lease_that_is_not_renewed_has_one_of_the_server_to_itself) {
    lease renewed = lock(locks, "renewed", patiently(30s));
    lease held = lock(locks, "key", {.ttl = 30s, .renew = false});
    BOOST_TEST(leases() == 2u);
    BOOST_TEST(!unlock(held));
    BOOST_TEST(run_until([&] { return leases() == 1; }));
}

BOOST_AUTO_TEST_CASE(a_hold_that_is_over_by_its_time_leaves_the_key_to_others) {
    lease beside = lock(locks, "beside", patiently(2s)); // which keeps their common lease alive
    lease held = lock(locks, "key", {.ttl = 2s, .max_hold = 1s});
    BOOST_TEST(run_until([&] { return !held.valid(); }));
    BOOST_TEST(!try_lock(others, "key", patiently()));
    BOOST_TEST(beside.valid());
}

BOOST_AUTO_TEST_CASE(metrics_name_what_grants_the_locks) {
    BOOST_TEST(!try_lock(locks));
    BOOST_TEST(locks.metrics().engine == "etcd");
    BOOST_TEST(locks.metrics().nodes.size() == 1u);
}

BOOST_AUTO_TEST_CASE(closing_gives_everything_back) {
    lease a = lock(locks, "a"), b = lock(locks, "b");
    close(locks);
    BOOST_TEST(all_keys() == 0u);
    BOOST_TEST(leases() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
