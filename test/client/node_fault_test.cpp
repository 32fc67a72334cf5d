#include "node_fault.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <map>

namespace redlock::test {
namespace {

namespace data = boost::unit_test::data;
using clock = std::chrono::steady_clock;

// Time that a busy machine may add to anything.
constexpr auto scheduling = 2s;

// Locks and unlocks `count` times; none of it may have waited for a node that does not answer.
void cycle_without_waiting(proxied_fixture& f, client& locks, int count) {
    const auto start = clock::now();
    for (int i = 0; i < count; ++i) {
        lease held = f.lock(locks, "key");
        BOOST_TEST(held.valid());
        BOOST_TEST(!f.unlock(held));
    }
    BOOST_TEST((clock::now() - start < f.settings().node_timeout));
}

BOOST_FIXTURE_TEST_SUITE(node_fault_suite, proxied_fixture)

BOOST_DATA_TEST_CASE_F(proxied_fixture, a_minority_that_is_gone_costs_no_wait, data::make(all_node_faults),
                       fault) {
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    for (const std::size_t node : {1u, 3u}) {
        inflict(*this, node, fault);
        cycle_without_waiting(*this, locks, 20);
        // Again when the client knows of it.
        BOOST_TEST(becomes_ready(locks, node == 1 ? 4 : 3));
        cycle_without_waiting(*this, locks, 20);
    }
}

BOOST_DATA_TEST_CASE_F(proxied_fixture, a_new_client_does_without_a_minority, data::make(all_node_faults),
                       fault) {
    inflict(*this, 0, fault);
    inflict(*this, 4, fault);
    client locks(context.get_executor(), settings());
    cycle_without_waiting(*this, locks, 20);
}

BOOST_DATA_TEST_CASE_F(proxied_fixture, without_a_majority_there_is_no_quorum_at_once,
                       data::make(all_node_faults), fault) {
    config c = settings();
    c.node_timeout = 500ms;
    client locks(context.get_executor(), c);
    BOOST_REQUIRE(becomes_ready(locks));
    for (const std::size_t node : {0u, 2u, 3u})
        inflict(*this, node, fault);
    const auto attempt = [&](std::chrono::milliseconds bound) {
        const auto start = clock::now();
        BOOST_TEST(try_lock(locks, "key", {.ttl = long_ttl, .wait = forever}) == errc::no_quorum);
        BOOST_TEST((clock::now() - start < bound));
    };
    attempt(c.node_timeout + scheduling);
    // The nodes that are there have not kept what was taken in vain.
    BOOST_TEST(run_until([&] { return !nodes[1].exists("key") && !nodes[4].exists("key"); }));
    BOOST_REQUIRE(becomes_ready(locks, 2));
    for (int i = 0; i < 5; ++i)
        attempt(scheduling);

    for (const std::size_t node : {0u, 2u, 3u})
        heal(*this, node, fault);
    BOOST_TEST(becomes_ready(locks));
    lease held = lock(locks, "key");
    BOOST_TEST(run_until([&] { return nodes.holders("key") == 5; }));
    BOOST_TEST(!unlock(held));
    BOOST_TEST(becomes_free("key"));
}

BOOST_DATA_TEST_CASE_F(proxied_fixture, a_new_client_finds_no_quorum, data::make(all_node_faults), fault) {
    for (const std::size_t node : {0u, 2u, 3u})
        inflict(*this, node, fault);
    config c = settings();
    c.node_timeout = 500ms;
    client locks(context.get_executor(), c);
    const auto start = clock::now();
    BOOST_TEST(try_lock(locks, "key", {.ttl = long_ttl, .wait = forever}) == errc::no_quorum);
    BOOST_TEST((clock::now() - start < c.node_timeout + scheduling));
}

BOOST_DATA_TEST_CASE_F(proxied_fixture, a_node_that_is_gone_is_named, data::make(all_node_faults), fault) {
    config c = settings();
    c.node_timeout = 200ms;
    client locks(context.get_executor(), c);
    BOOST_REQUIRE(becomes_ready(locks));
    inflict(*this, 2, fault);
    // Silence is only noticed by who asks.
    BOOST_TEST(!try_lock(locks, "key"));
    BOOST_REQUIRE(becomes_ready(locks, 4));
    const node_metrics seen = locks.metrics().nodes.at(2);
    BOOST_TEST(seen.last_error);
    BOOST_TEST(seen.last_error_text.find(std::to_string(proxies[2].port())) != std::string::npos);
    const errc expected = fault == node_fault::stopped || fault == node_fault::black_hole
                              ? errc::node_timeout
                              : errc::node_unavailable;
    BOOST_TEST(seen.last_error == expected);
}

// A command that was executed late must not leave a key behind: its release follows on the same connection.
BOOST_AUTO_TEST_CASE(a_late_set_is_undone) {
    config c = settings();
    c.node_timeout = 200ms;
    client locks(context.get_executor(), c);
    BOOST_REQUIRE(becomes_ready(locks));
    for (auto& proxy : proxies)
        proxy.freeze();
    BOOST_TEST(try_lock(locks, "key") == errc::no_quorum);
    BOOST_TEST(nodes.holders("key") == 0u);
    for (auto& proxy : proxies)
        proxy.thaw();
    BOOST_TEST(becomes_ready(locks));
    // A command of our own on each connection, which comes after all that was late.
    BOOST_TEST(!try_lock(locks, "another key"));
    BOOST_TEST(becomes_free("another key"));
    BOOST_TEST(becomes_free("key"));
}

// The replies to the SET are lost with their connections, and so may be the releases.
BOOST_AUTO_TEST_CASE(what_a_lost_connection_took_is_released_on_the_next_one) {
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    for (const std::size_t node : {0u, 1u, 2u})
        proxies[node].lose(direction::to_client);
    outcome<lease> tried;
    locks.async_lock("key", once(), tried.handler());
    BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == 5; }));
    BOOST_TEST(!tried.done());
    for (auto& proxy : proxies)
        proxy.refuse();
    BOOST_TEST(run_until([&] { return tried.done(); }));
    BOOST_TEST(tried.error() == errc::no_quorum);
    BOOST_TEST(nodes.holders("key") == 5u);
    for (auto& proxy : proxies)
        proxy.pass();
    BOOST_TEST(becomes_free("key"));
}

BOOST_AUTO_TEST_CASE(an_earlier_vote_of_our_own_does_not_stand_in_the_way) {
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    for (const std::size_t node : {0u, 1u, 2u})
        nodes[node].command({"SET", "key", "somebody else"});
    // The SET is executed here, and nobody hears of it; the release is lost altogether.
    std::map<std::size_t, std::size_t> sent;
    for (const std::size_t node : {3u, 4u}) {
        sent[node] = proxies[node].commands("EVAL");
        proxies[node].lose(direction::to_client);
        proxies[node].before_command("EVAL", [this, node] { proxies[node].lose(direction::to_server); });
    }
    // Refused no sooner, or a proxy might read the SET together with the release, and lose both.
    for (const std::size_t node : {0u, 1u, 2u})
        proxies[node].freeze();
    outcome<lease> waiting;
    locks.async_lock("key", patiently(), waiting.handler());
    BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == 5u; }));
    for (const std::size_t node : {0u, 1u, 2u})
        proxies[node].thaw();
    for (const std::size_t node : {3u, 4u})
        BOOST_REQUIRE(run_until([&] { return proxies[node].commands("EVAL") > sent[node]; }));
    BOOST_REQUIRE(nodes.holders("key") == 5u);
    const std::string token = nodes[3].get("key").value();
    for (const std::size_t node : {3u, 4u})
        proxies[node].refuse();
    for (const std::size_t node : {0u, 1u, 2u})
        nodes[node].command({"DEL", "key"});
    for (const std::size_t node : {3u, 4u})
        proxies[node].pass();
    BOOST_TEST(run_until([&] { return waiting.done(); }));
    BOOST_TEST(!waiting.error());
    BOOST_TEST(waiting.value().valid());
    // What the earlier try has left is deleted first: a token that was given back is never used again.
    for (const std::size_t node : {0u, 3u})
        BOOST_TEST(run_until([&] { return nodes[node].get("key").value_or("none") != token; }));
    BOOST_TEST(!unlock(waiting.value()));
    BOOST_TEST(becomes_free("key"));
}

BOOST_AUTO_TEST_CASE(slow_and_fragmented_replies_are_understood) {
    for (auto& proxy : proxies) {
        proxy.fragment(true);
        proxy.delay(1ms);
    }
    client locks(context.get_executor(), settings());
    for (int i = 0; i < 3; ++i) {
        lease held = lock(locks, "key");
        BOOST_TEST(!unlock(held));
    }
    BOOST_TEST(becomes_free("key"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
