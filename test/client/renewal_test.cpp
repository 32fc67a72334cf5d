#include "lock_fixture.hpp"

#include <boost/test/unit_test.hpp>

namespace redlock::test {
namespace {

using clock = std::chrono::steady_clock;

BOOST_FIXTURE_TEST_SUITE(renewal, proxied_fixture)

BOOST_AUTO_TEST_CASE(a_lease_lives_on_beyond_its_ttl) {
    client locks(context.get_executor(), settings());
    lease held = lock(locks, "key", {.ttl = 1500ms});
    const auto start = clock::now();
    BOOST_TEST(!run_until(5s, [&] { return !held.valid(); }));
    BOOST_TEST((clock::now() - start >= 5s));
    BOOST_TEST(nodes.holders("key") == 5u);
    // Every third of the ttl, not more often.
    const auto renewals = locks.metrics().renewals;
    BOOST_TEST(renewals >= 5u);
    BOOST_TEST(renewals <= 13u);
    BOOST_TEST(!unlock(held));
    BOOST_TEST(becomes_free("key"));
}

BOOST_AUTO_TEST_CASE(a_minority_that_lost_the_key_gets_it_back) {
    client locks(context.get_executor(), settings());
    lease held = lock(locks, "key", {.ttl = 3s});
    BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == 5; }));
    const std::string token = nodes[0].get("key").value();
    for (const std::size_t node : {1u, 3u})
        nodes[node].command({"DEL", "key"});
    BOOST_TEST(run_until([&] { return nodes.holders("key") == 5; }));
    for (const std::size_t node : {1u, 3u}) {
        BOOST_TEST(nodes[node].get("key").value_or("none") == token);
        BOOST_TEST((nodes[node].pttl("key") > 0ms && nodes[node].pttl("key") <= 3s));
    }
    BOOST_TEST(held.valid());
    BOOST_TEST(run_until([&] { return locks.metrics().repairs == 2; }));
}

BOOST_AUTO_TEST_CASE(a_node_that_forgot_its_data_gets_the_key_back) {
    client locks(context.get_executor(), settings());
    lease held = lock(locks, "key", {.ttl = 3s});
    BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == 5; }));
    nodes[4].restart();
    BOOST_TEST(run_until([&] { return nodes[4].exists("key"); }));
    BOOST_TEST(held.valid());
}

// It is due before the one in front of it has given that node up.
BOOST_AUTO_TEST_CASE(a_silent_node_does_not_keep_the_next_renewal_from_coming) {
    config c = settings();
    c.node_timeout = 1s;
    client locks(context.get_executor(), c);
    lease held = lock(locks, "key", {.ttl = 2s});
    BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == 5; }));
    proxies[4].freeze();
    BOOST_TEST(!run_until(4s, [&] { return !held.valid(); }));
    BOOST_TEST(locks.metrics().lost_by_deadline == 0u);
    BOOST_TEST(!unlock(held));
}

BOOST_AUTO_TEST_CASE(a_failed_round_is_tried_again_in_time) {
    config c = settings();
    c.node_timeout = 200ms;
    client locks(context.get_executor(), c);
    lease held = lock(locks, "key", {.ttl = 6s, .stop_margin = 500ms});
    BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == 5; }));
    for (const std::size_t node : {0u, 1u, 2u})
        proxies[node].freeze();
    BOOST_TEST(run_until([&] { return locks.metrics().failed_renewals >= 2; }));
    BOOST_TEST(held.valid());
    for (auto& proxy : proxies)
        proxy.thaw();
    BOOST_TEST(run_until([&] { return locks.metrics().renewals >= 1; }));
    BOOST_TEST(held.valid());
    BOOST_TEST(!unlock(held));
    BOOST_TEST(becomes_free("key"));
}

BOOST_AUTO_TEST_CASE(a_renewal_survives_new_connections) {
    client locks(context.get_executor(), settings());
    lease held = lock(locks, "key", {.ttl = 3s});
    for (auto& proxy : proxies)
        proxy.reset_connections();
    BOOST_TEST(run_until([&] { return locks.metrics().renewals >= 1; }));
    BOOST_TEST(held.valid());
}

BOOST_AUTO_TEST_CASE(servers_that_forgot_the_scripts_are_told_again) {
    client locks(context.get_executor(), settings());
    lease held = lock(locks, "key", {.ttl = 3s});
    BOOST_TEST(run_until([&] { return locks.metrics().renewals >= 1; }));
    for (auto& node : nodes)
        node.command({"SCRIPT", "FLUSH"});
    const auto before = locks.metrics().renewals;
    BOOST_TEST(run_until([&] { return locks.metrics().renewals > before; }));
    for (auto& node : nodes)
        node.command({"SCRIPT", "FLUSH"});
    BOOST_TEST(!unlock(held));
    BOOST_TEST(becomes_free("key"));
}

BOOST_AUTO_TEST_CASE(renewal_ends_after_the_longest_hold) {
    client locks(context.get_executor(), settings());
    const auto start = clock::now();
    lease held = lock(locks, "key", {.ttl = 1s, .max_hold = 1500ms});
    outcome<> lost;
    held.async_wait_lost(lost.handler());
    BOOST_TEST(run_until([&] { return lost.done(); }));
    BOOST_TEST(!lost.error());
    BOOST_TEST((clock::now() - start >= 1500ms));
    BOOST_TEST(becomes_free("key"));
    BOOST_TEST(!held.valid());
}

BOOST_AUTO_TEST_CASE(an_extension_sets_another_ttl) {
    client locks(context.get_executor(), settings());
    lease held = lock(locks, "key", {.ttl = 10s});
    BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == 5; }));
    const auto extend = [&](std::chrono::milliseconds ttl) {
        outcome<> result;
        held.async_extend(ttl, result.handler());
        BOOST_REQUIRE(run_until([&] { return result.done(); }));
        return result.error();
    };
    BOOST_TEST(!extend(100s));
    BOOST_TEST((held.remaining() > 50s && held.remaining() <= 99s));
    BOOST_TEST(run_until([&] { return nodes[4].pttl("key") > 50s; }));
    BOOST_TEST(!extend(3s));
    BOOST_TEST((held.remaining() <= 3s));
    BOOST_TEST(run_until([&] { return nodes[4].pttl("key") <= 3s; }));
    BOOST_TEST(extend(0s) == errc::invalid_option);
    BOOST_TEST(extend(-1s) == errc::invalid_option);
    BOOST_TEST(extend(std::chrono::milliseconds((std::int64_t{1} << 53) + 1)) == errc::invalid_option);
    // Later renewals keep the ttl that was asked for last.
    const auto before = locks.metrics().renewals;
    BOOST_TEST(run_until([&] { return locks.metrics().renewals > before; }));
    BOOST_TEST(held.valid());
    BOOST_TEST((held.remaining() <= 3s));
}

BOOST_AUTO_TEST_CASE(an_extension_without_a_majority_keeps_the_lease) {
    config c = settings();
    c.node_timeout = 200ms;
    client locks(context.get_executor(), c);
    lease held = lock(locks, "key", {.ttl = 60s});
    for (const std::size_t node : {0u, 1u, 2u})
        proxies[node].freeze();
    outcome<> extended;
    held.async_extend(60s, extended.handler());
    BOOST_TEST(run_until([&] { return extended.done(); }));
    BOOST_TEST(extended.error() == errc::no_quorum);
    BOOST_TEST(held.valid());
    outcome<> cancelled;
    asio::cancellation_signal cancel;
    held.async_extend(60s, asio::bind_cancellation_slot(cancel.slot(), cancelled.handler()));
    cancel.emit(asio::cancellation_type::total);
    BOOST_TEST(run_until([&] { return cancelled.done(); }));
    BOOST_TEST(cancelled.error() == asio::error::operation_aborted);
    BOOST_TEST(held.valid());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
