// Locks in a real ensemble of one server.

#include "stranger.hpp"
#include "zookeeper_fixture.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace redlock::test {
namespace {

BOOST_AUTO_TEST_SUITE(engine_suite, *boost::unit_test::fixture<shared_server>())

BOOST_FIXTURE_TEST_CASE(a_key_is_one_clients_until_it_is_unlocked, zookeeper_fixture) {
    client first = make_client(), second = make_client();
    lease held = lock(first);
    BOOST_TEST(held.valid());
    BOOST_TEST(try_lock(second) == errc::held);
    BOOST_TEST(try_lock(second, "other") == error_code());
    BOOST_TEST(inspect(second).holder.has_value());
    BOOST_TEST(!unlock(held));
    BOOST_TEST(!inspect(second).holder);
    BOOST_TEST(try_lock(second) == error_code());
}

BOOST_FIXTURE_TEST_CASE(metrics_name_what_grants_the_locks, zookeeper_fixture) {
    client locks = make_client();
    BOOST_TEST(try_lock(locks) == error_code());
    BOOST_TEST(locks.metrics().engine == "zookeeper");
    BOOST_TEST(locks.metrics().nodes.size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(who_waits_is_granted_the_key_in_order, zookeeper_fixture) {
    client holder = make_client(), second = make_client(), third = make_client();
    lease held = lock(holder);
    outcome<lease> next, last;
    second.async_lock("key", patiently(), next.handler());
    BOOST_TEST(run_until([&] { return inspect(holder).waiting == 1; }));
    third.async_lock("key", patiently(), last.handler());
    BOOST_TEST(run_until([&] { return inspect(holder).waiting == 2; }));
    BOOST_TEST(!unlock(held));
    complete(next);
    BOOST_TEST(!next.error());
    BOOST_TEST(!last.done());
    BOOST_TEST(!unlock(next.value()));
    complete(last);
    BOOST_TEST(!last.error());
    BOOST_TEST(inspect(holder).waiting.value() == 0u);
}

BOOST_FIXTURE_TEST_CASE(who_gives_up_leaves_the_queue, zookeeper_fixture) {
    client holder = make_client(), other = make_client();
    lease held = lock(holder);
    outcome<lease> late;
    other.async_lock("key", {.ttl = long_ttl, .wait = 50ms}, late.handler());
    complete(late);
    BOOST_TEST(late.error() == errc::wait_timeout);
    BOOST_TEST(run_until([&] { return inspect(holder).waiting == 0; }));
    BOOST_TEST(held.valid());
}

BOOST_FIXTURE_TEST_CASE(a_lease_that_is_handed_on_here_gets_a_token_and_a_life_of_its_own,
                        zookeeper_fixture) {
    for (const std::chrono::milliseconds life : {long_ttl / 2, long_ttl, 2 * long_ttl}) {
        client locks = make_client(), others = make_client();
        lease first = lock(locks, "key", fenced());
        const std::uint64_t token = first.fencing_token().value();
        outcome<lease> next;
        locks.async_lock("key", fenced(life), next.handler());
        BOOST_TEST(run_until([&] { return locks.metrics().waiting == 1; }));
        BOOST_TEST(!unlock(first));
        complete(next);
        BOOST_TEST_CONTEXT(life.count()) {
            BOOST_REQUIRE_MESSAGE(!next.error(), next.error().message());
            BOOST_TEST(locks.metrics().handoffs == 1u);
            BOOST_TEST(next.value().fencing_token().value() > token);
            BOOST_TEST((next.value().remaining() > life * 9 / 10));
            BOOST_TEST(check(others, token) == errc::lease_lost);
            BOOST_TEST(!check(others, next.value().fencing_token().value()));
            BOOST_TEST(!unlock(next.value()));
            BOOST_TEST(try_lock(others) == error_code());
        }
    }
}

BOOST_FIXTURE_TEST_CASE(fencing_tokens_grow_and_can_be_checked, zookeeper_fixture) {
    client locks = make_client(), other = make_client();
    std::uint64_t before = 0;
    for (client* each : {&locks, &other, &locks}) {
        lease held = lock(*each, "key", fenced());
        const std::uint64_t token = held.fencing_token().value();
        BOOST_TEST(token > before);
        BOOST_TEST(!check(other, token));
        BOOST_TEST(check(other, before) == errc::lease_lost);
        BOOST_TEST(!unlock(held));
        BOOST_TEST(check(other, token) == errc::lease_lost);
        before = token;
    }
}

BOOST_FIXTURE_TEST_CASE(a_lease_is_renewed_also_beyond_its_first_life, zookeeper_fixture) {
    client locks = make_client(), other = make_client();
    lease held = lock(locks, "key", patiently(400ms));
    outcome<> extended;
    held.async_extend(900ms, extended.handler());
    complete(extended);
    BOOST_TEST(!extended.error());
    const auto later = std::chrono::steady_clock::now() + 2s;
    BOOST_TEST(run_until([&] { return std::chrono::steady_clock::now() > later; }));
    BOOST_TEST(held.valid());
    BOOST_TEST(try_lock(other) == errc::held);
    BOOST_TEST(!unlock(held));
}

BOOST_FIXTURE_TEST_CASE(what_nobody_renews_runs_out, zookeeper_fixture) {
    client locks = make_client(), other = make_client();
    const lease held = lock(locks, "key", {.ttl = 300ms, .renew = false});
    const lease next = lock(other);
    BOOST_TEST(!held.valid());
    BOOST_TEST(next.valid());
}

BOOST_FIXTURE_TEST_CASE(keys_may_have_any_bytes, zookeeper_fixture) {
    client locks = make_client(), other = make_client();
    for (const std::string& key :
         {std::string("."), std::string(".."), std::string("zookeeper"), std::string("a/b"),
          std::string("a%2Fb"), std::string("\x01\xff\n", 3), std::string(1500, '/')}) {
        lease held = lock(locks, key);
        BOOST_TEST(try_lock(other, key) == errc::held);
        BOOST_TEST(!unlock(held));
    }
}

BOOST_FIXTURE_TEST_CASE(an_operator_takes_a_key_away, zookeeper_fixture) {
    client locks = make_client(), other = make_client();
    lease held = lock(locks, "key", patiently(1s));
    outcome<> lost;
    held.async_wait_lost(lost.handler());
    outcome<break_report> broken;
    other.async_break(inspect(other), broken.handler());
    complete(broken);
    BOOST_TEST(!broken.error());
    BOOST_TEST(broken.value().removed == 1u);
    complete(lost);
    BOOST_TEST(!held.valid());
    BOOST_TEST(try_lock(other) == error_code());
}

BOOST_FIXTURE_TEST_CASE(the_keys_that_are_held_are_listed, zookeeper_fixture) {
    client locks = make_client();
    lease a = lock(locks, "jobs/1"), b = lock(locks, "jobs/2"), c = lock(locks, "other");
    BOOST_TEST(!unlock(b));
    outcome<key_list> found;
    locks.async_list("jobs/", found.handler());
    complete(found);
    BOOST_TEST(!found.error());
    BOOST_TEST((found.value().keys == std::vector<std::string>{"jobs/1"}));
}

BOOST_FIXTURE_TEST_CASE(folders_that_were_removed_are_made_again, zookeeper_fixture) {
    client locks = make_client();
    for (const char* key : {"key", "other"})
        BOOST_TEST(try_lock(locks, key) == error_code());
    stranger other(ensemble.port());
    BOOST_REQUIRE(run_until([&] { return other.children(root + "/key").empty(); }));
    for (const std::string& folder : other.children(root))
        other.remove(root + "/" + folder);
    other.remove(root);
    for (const char* key : {"third", "key"})
        BOOST_TEST(try_lock(locks, key) == error_code());
    BOOST_TEST(other.children(root).size() == 2u);
}

BOOST_FIXTURE_TEST_CASE(who_logs_in_makes_nodes_of_his_own, zookeeper_fixture) {
    client mine(context.get_executor(), settings(ensemble.uri("me:secret@", root)));
    client others = make_client();
    lease held = lock(mine);
    BOOST_TEST(try_lock(others) == errc::permission_denied);
    BOOST_TEST(!unlock(held));
    BOOST_TEST(try_lock(mine) == error_code());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
