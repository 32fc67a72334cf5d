#include "lock_fixture.hpp"

#include <redlock/observer.hpp>

#include <boost/test/unit_test.hpp>

namespace redlock::test {
namespace {

struct restart_guard_test_fixture : lock_fixture {
    explicit restart_guard_test_fixture(std::size_t count = 5) : lock_fixture(count) {}

    config guarded(std::chrono::milliseconds guard) const {
        config c = settings();
        c.restart_guard = guard;
        return c;
    }
    node_metrics node(const client& locks, std::size_t i) { return locks.metrics().nodes.at(i); }
    bool becomes(const client& locks, std::size_t i, const std::string& state) {
        return run_until([&] { return node(locks, i).state == state; });
    }
};

struct warnings final : observer {
    void node_warned(std::string_view node, std::string_view why) noexcept override {
        nodes.emplace_back(node);
        all += why;
    }
    void node_changed(std::string_view, bool ready, std::string_view why) noexcept override {
        if (!ready) down += why;
    }
    std::vector<std::string> nodes;
    std::string all;
    std::string down;
};

BOOST_FIXTURE_TEST_SUITE(restart_guard, restart_guard_test_fixture)

BOOST_AUTO_TEST_CASE(a_node_that_lost_its_keys_does_not_vote_for_them) {
    constexpr auto guard = 4s;
    client holder(context.get_executor(), guarded(guard));
    BOOST_REQUIRE(becomes_ready(holder));
    client other(context.get_executor(), guarded(guard));
    BOOST_REQUIRE(becomes_ready(other));
    const lock_options brief{.ttl = 3s, .wait = 0ms, .renew = false};
    // By three of the five: without the guard, two of them and two that never had the key would do for
    // others.
    lease held = lock(holder, "key", {.ttl = 3s, .renew = false});
    nodes[3].command({"DEL", "key"});
    nodes[4].command({"DEL", "key"});
    const auto restarted = std::chrono::steady_clock::now();
    nodes[2].restart();
    BOOST_TEST(becomes(other, 2, "quarantined"));
    BOOST_TEST(node(other, 2).last_error == errc::node_quarantined);
    BOOST_TEST(node(other, 2).quarantined);
    BOOST_TEST(node(other, 2).quarantines >= 1u);
    BOOST_TEST(node(other, 2).reconnects >= 1u);
    BOOST_TEST(node(other, 2).last_error_text.find("restart_guard (4000 ms)") != std::string::npos);
    while (held.valid()) {
        const error_code refused = try_lock(other, "key", brief);
        // On a busy machine the lease may have ended meanwhile.
        if (held.valid()) BOOST_TEST(refused == errc::held);
    }
    BOOST_TEST(becomes(other, 2, "ready"));
    BOOST_TEST(!node(other, 2).quarantined);
    BOOST_TEST((std::chrono::steady_clock::now() - restarted > guard - 1s));
    BOOST_TEST(becomes_ready(other));
    BOOST_TEST(!try_lock(other, "key", brief));
}

BOOST_AUTO_TEST_CASE(a_majority_that_restarted_is_named_as_the_reason) {
    client locks(context.get_executor(), guarded(3s));
    for (std::size_t i = 0; i < 3; ++i)
        nodes[i].restart();
    for (std::size_t i = 0; i < 3; ++i)
        BOOST_REQUIRE(becomes(locks, i, "quarantined"));
    BOOST_TEST(try_lock(locks, "key") == errc::node_quarantined);
    BOOST_REQUIRE(becomes_ready(locks));
    BOOST_TEST(!try_lock(locks, "key"));
}

BOOST_AUTO_TEST_CASE(without_a_guard_a_restarted_node_votes_at_once) {
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    for (auto& node : nodes)
        node.restart();
    for (std::size_t i = 0; i < nodes.size(); ++i)
        BOOST_REQUIRE(
            run_until([&] { return node(locks, i).connects == 2 && node(locks, i).state == "ready"; }));
    BOOST_TEST(!try_lock(locks, "key"));
}

BOOST_AUTO_TEST_CASE(a_release_reaches_a_node_in_quarantine) {
    client locks(context.get_executor(), guarded(60s));
    BOOST_REQUIRE(becomes(locks, 0, "quarantined"));
    BOOST_TEST(try_lock(locks, "key") == errc::node_quarantined);
    BOOST_TEST(becomes_free("key"));
}

BOOST_AUTO_TEST_CASE(a_replica_is_refused) {
    redis_server replica({.directives = {"replicaof 127.0.0.1 " + std::to_string(nodes[0].port())}});
    config c = settings();
    c.nodes[2] = replica.uri();
    client locks(context.get_executor(), c);
    BOOST_REQUIRE(becomes_ready(locks, 4));
    BOOST_TEST(run_until([&] { return node(locks, 2).last_error == errc::read_only; }));
    BOOST_TEST(node(locks, 2).state == "unavailable");
    BOOST_TEST(node(locks, 2).last_error_text.find("is a replica") != std::string::npos);
    BOOST_TEST(!try_lock(locks, "key"));
}

BOOST_AUTO_TEST_CASE(one_server_under_two_addresses_has_one_vote) {
    config c = settings();
    c.nodes.resize(3);
    c.nodes[1] = nodes[0].unix_uri();
    client locks(context.get_executor(), c);
    BOOST_REQUIRE(becomes_ready(locks, 2));
    const auto refused = [&](std::size_t i) { return node(locks, i).last_error == errc::duplicate_node; };
    BOOST_TEST(run_until([&] { return refused(0) || refused(1); }));
    const node_metrics twin = node(locks, refused(0) ? 0 : 1);
    BOOST_TEST(twin.state == "unavailable");
    BOOST_TEST(twin.last_error_text.find("is the same server as " + node(locks, refused(0) ? 1 : 0).node) !=
               std::string::npos);
    // Three nodes were promised: two answer, and both are needed.
    BOOST_TEST(!try_lock(locks, "key"));
    nodes[2].kill();
    BOOST_REQUIRE(becomes(locks, 2, "unavailable"));
    BOOST_TEST((try_lock(locks, "key") == errc::no_quorum));
}

BOOST_AUTO_TEST_CASE(a_policy_that_evicts_locks_is_reported) {
    nodes[1].command({"CONFIG", "SET", "maxmemory", "100mb", "maxmemory-policy", "allkeys-lru"});
    nodes[2].command({"CONFIG", "SET", "maxmemory-policy", "volatile-ttl"});
    const auto told = std::make_shared<warnings>();
    config c = settings();
    c.observer = told;
    client locks(context.get_executor(), c);
    BOOST_REQUIRE(becomes_ready(locks));
    // Without a limit nothing is evicted.
    BOOST_TEST(node(locks, 1).eviction_policy == "allkeys-lru");
    BOOST_TEST(node(locks, 2).eviction_policy.empty());
    BOOST_TEST(told->nodes.size() == 1u);
    BOOST_TEST(told->all.find("maxmemory-policy is allkeys-lru") != std::string::npos);
    BOOST_TEST(!try_lock(locks, "key"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
