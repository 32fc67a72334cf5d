#include "fencing_fixture.hpp"

#include <deque>

// Fencing while one of the nodes that are asked for a token is slow, silent or refuses.

namespace redlock::test {
namespace {

struct five_nodes : proxied_fixture {
    client make_client(std::chrono::milliseconds node_timeout, redlock::wakeup wakeup = wakeup::automatic) {
        config c = settings();
        c.wakeup = wakeup;
        c.node_timeout = node_timeout;
        client made(context.get_executor(), c);
        BOOST_REQUIRE(becomes_ready(made));
        return made;
    }
    /// Has waited for a key, and knows that it may stand in no queue.
    client make_racer() {
        forbid_queues();
        client made = make_client(3s, wakeup::timed);
        for (auto& node : nodes)
            node.command({"SET", "busy", "somebody"});
        outcome<lease> waits;
        made.async_lock("busy", patiently(), waits.handler());
        BOOST_REQUIRE(run_until([&] { return made.metrics().undirected_waits > 0; }));
        for (auto& node : nodes)
            node.command({"DEL", "busy"});
        BOOST_REQUIRE(run_until([&] { return waits.done(); }));
        BOOST_REQUIRE(!waits.error());
        BOOST_REQUIRE(!unlock(waits.value()));
        return made;
    }
};

BOOST_FIXTURE_TEST_SUITE(fencing_nodes, five_nodes)

// Clients ask different majorities: with six of them, some ask the node that is meant.

BOOST_AUTO_TEST_CASE(a_silent_node_closes_no_window) {
    for (int i = 0; i < 6; ++i) {
        client locks = make_client(1s);
        const std::size_t before = locks.metrics().inflight_limit;
        proxies[0].freeze();
        std::deque<outcome<lease>> all(100);
        int number = 0;
        for (auto& one : all)
            locks.async_lock(std::to_string(i) + ":" + std::to_string(number++), fenced_once, one.handler());
        BOOST_TEST(run_until([&] { return std::ranges::all_of(all, [](auto& one) { return one.done(); }); }));
        for (auto& one : all) {
            BOOST_TEST(!one.error());
            one.drop_values();
        }
        BOOST_TEST(locks.metrics().inflight_limit >= before);
        proxies[0].thaw();
        BOOST_TEST(run_until([&] { return locks.metrics().held == 0; }));
    }
}

BOOST_AUTO_TEST_CASE(a_slow_node_is_not_asked) {
    for (int i = 0; i < 6; ++i) {
        client locks = make_client(1s);
        proxies[0].delay(100ms);
        const auto cycle = [&] {
            const auto begin = std::chrono::steady_clock::now();
            lease held = lock(locks, "key", fenced);
            const auto took = std::chrono::steady_clock::now() - begin;
            BOOST_TEST(held.fencing_token().has_value());
            BOOST_TEST(!unlock(held));
            return took;
        };
        cycle();
        BOOST_REQUIRE(run_until([&] { return locks.metrics().nodes[0].round_trip > 20ms; }));
        auto quickest = cycle();
        for (int again = 0; again < 10; ++again)
            quickest = std::min(quickest, cycle());
        BOOST_TEST((quickest < 100ms));
        BOOST_TEST(locks.metrics().fence_retries == 0u);
        proxies[0].pass();
    }
}

// The favourite of a split vote waits for its rivals, not for a proposal that is of no use any more.
BOOST_AUTO_TEST_CASE(an_old_proposal_holds_up_nobody) {
    unsigned kept = 0;
    for (int i = 0; i < 60 && kept < 3; ++i) {
        client locks = make_racer();
        const auto before = locks.metrics();
        const std::string key = std::to_string(i);
        for (const std::size_t node : {1u, 2u, 3u})
            nodes[node].command({"SET", key, "rival " + std::to_string(node), "PX", "600000"});
        proxies[4].freeze();
        outcome<lease> wanted;
        locks.async_lock(key, fenced, wanted.handler());
        BOOST_REQUIRE(run_until([&] { return locks.metrics().refusals > before.refusals; }));
        const bool keeps = locks.metrics().kept_votes > before.kept_votes;
        if (!keeps) proxies[4].thaw();
        for (const std::size_t node : {1u, 2u, 3u})
            nodes[node].command({"DEL", key});
        const auto freed = std::chrono::steady_clock::now();
        BOOST_REQUIRE(run_until([&] { return wanted.done(); }));
        BOOST_TEST(!wanted.error());
        if (keeps) {
            ++kept;
            BOOST_TEST((std::chrono::steady_clock::now() - freed < 1500ms));
        }
        proxies[4].thaw();
        wanted.drop_values();
        BOOST_TEST(run_until([&] { return locks.metrics().held == 0; }));
    }
    BOOST_TEST(kept > 0u);
}

BOOST_AUTO_TEST_CASE(a_user_who_must_not_raise_fences_is_told_so) {
    for (const std::size_t count : {1u, 2u, 3u}) {
        lock_fixture limited(count, {.directives = {"user limited on >secret ~* &* +@all -zadd"}});
        config c = limited.settings();
        for (std::size_t i = 0; i < count; ++i)
            c.nodes[i] = limited.nodes[i].uri("limited", "secret");
        client locks(limited.context.get_executor(), c);
        BOOST_REQUIRE(limited.becomes_ready(locks));
        BOOST_TEST(limited.try_lock(locks, "key", fenced_once) == errc::permission_denied);
        BOOST_TEST(limited.becomes_free("key"));
    }
}

// One server of five refuses: from then on others are asked, and one round trip is enough.
BOOST_AUTO_TEST_CASE(a_node_that_refuses_is_not_asked_again) {
    nodes[0].command({"ACL", "SETUSER", "default", "-zadd"});
    for (int i = 0; i < 6; ++i) {
        client locks = make_client(1s);
        std::uint64_t last = 0;
        for (int again = 0; again < 5; ++again) {
            lease held = lock(locks, "key", fenced);
            BOOST_TEST(held.fencing_token().value_or(0) > last);
            last = held.fencing_token().value_or(0);
            BOOST_TEST(!unlock(held));
        }
        BOOST_TEST(locks.metrics().fence_retries <= 1u);
    }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
