#include "client/forked_child.hpp"
#include "tls/tls_nodes.hpp"

#include <redlock/node_examination.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <deque>
#include <optional>
#include <stop_token>

// What a client does with nodes that speak TLS is what it does with others.

namespace redlock::test {
namespace {

namespace data = boost::unit_test::data;

/// How the nodes tell of changes, by what they are started with.
struct telling {
    const char* name;
    std::vector<std::string> directives;
    wakeup found;
};
std::ostream& operator<<(std::ostream& out, const telling& t) { return out << t.name; }

const telling ways[] = {
    {"events", {"notify-keyspace-events Kg"}, wakeup::keyspace_events},
    {"tracking", {}, wakeup::client_tracking},
    {"events over RESP2",
     {"notify-keyspace-events KEA", "rename-command HELLO \"\""},
     wakeup::keyspace_events},
    {"timed over RESP2", {"rename-command HELLO \"\""}, wakeup::timed},
};

redis_options with_tls_and(std::vector<std::string> directives) {
    redis_options options = with_tls();
    options.directives = std::move(directives);
    return options;
}

/// With a proxy in front of every node, which sees ciphertext.
struct proxied_tls_nodes : tls_nodes {
    std::deque<fault_proxy> proxies;

    proxied_tls_nodes() {
        for (auto& node : nodes)
            proxies.emplace_back(node.port());
    }
    config settings() const {
        config c = tls_nodes::settings();
        for (std::size_t i = 0; i < proxies.size(); ++i)
            c.nodes[i] = "rediss://127.0.0.1:" + std::to_string(proxies[i].port());
        return c;
    }
};

std::uint64_t commands_of(const client& locks) {
    std::uint64_t all = 0;
    for (const node_metrics& n : locks.metrics().nodes)
        all += n.commands;
    return all;
}

BOOST_AUTO_TEST_SUITE(tls_client_suite)

BOOST_DATA_TEST_CASE(a_key_goes_from_client_to_client, data::make(ways), way) {
    tls_nodes f(with_tls_and(way.directives));
    client one(f.context.get_executor(), f.settings());
    client two(f.context.get_executor(), f.settings());
    BOOST_REQUIRE(f.becomes_ready(one));
    BOOST_REQUIRE(f.becomes_ready(two));
    for (const node_metrics& node : one.metrics().nodes)
        BOOST_TEST((node.wakeup == way.found));
    lease held = f.lock(one, "key");
    BOOST_TEST(f.try_lock(two, "key") == errc::held);
    for (int i = 0; i < 10; ++i) {
        outcome<lease> waiting;
        const auto before = commands_of(two);
        two.async_lock("key", patiently(), waiting.handler());
        BOOST_REQUIRE(f.run_until([&] { return commands_of(two) >= before + f.nodes.size(); }));
        BOOST_TEST(!f.unlock(held));
        BOOST_REQUIRE(f.run_until([&] { return waiting.done(); }));
        BOOST_REQUIRE(!waiting.error());
        held = std::move(waiting.value());
        BOOST_TEST(!f.unlock(held));
        held = f.lock(one, "key");
    }
    BOOST_TEST(!f.unlock(held));
    BOOST_TEST(f.becomes_free("key"));
}

BOOST_AUTO_TEST_CASE(a_lease_lives_on_beyond_its_ttl) {
    tls_nodes f;
    client locks(f.context.get_executor(), f.settings());
    lease held = f.lock(locks, "key", {.ttl = 600ms});
    BOOST_TEST(!f.run_until(2s, [&] { return !held.valid(); }));
    BOOST_TEST(locks.metrics().renewals >= 5u);
    BOOST_TEST(!f.unlock(held));
    BOOST_TEST(f.becomes_free("key"));
}

BOOST_AUTO_TEST_CASE(a_lease_is_lost_with_its_majority) {
    proxied_tls_nodes f;
    config c = f.settings();
    c.node_timeout = 500ms;
    client locks(f.context.get_executor(), c);
    std::stop_source work;
    lease held = f.lock(locks, "key", {.ttl = 3s, .stop_margin = 1s, .stop = &work});
    f.proxies[0].black_hole();
    f.nodes[1].stop();
    BOOST_TEST(f.run_until([&] { return work.stop_requested(); }));
    BOOST_TEST(held.remaining() > 0ns);
    f.nodes[1].resume();
    BOOST_TEST(f.unlock(held) == errc::lease_lost);
}

BOOST_AUTO_TEST_CASE(a_wait_is_cancelled) {
    tls_nodes f;
    client locks(f.context.get_executor(), f.settings());
    client other(f.context.get_executor(), f.settings());
    lease held = f.lock(locks, "key");
    asio::cancellation_signal cancel;
    outcome<lease> waiting;
    other.async_lock("key", patiently(), asio::bind_cancellation_slot(cancel.slot(), waiting.handler()));
    BOOST_REQUIRE(f.run_until([&] { return other.metrics().refusals > 0; }));
    cancel.emit(asio::cancellation_type::total);
    BOOST_REQUIRE(f.run_until([&] { return waiting.done(); }));
    BOOST_TEST(waiting.error() == asio::error::operation_aborted);
    BOOST_TEST(!f.unlock(held));
}

// Many commands in one write, more than the buffers between take, and long replies that come in many records.
BOOST_AUTO_TEST_CASE(a_thousand_locks_at_once) {
    tls_nodes f;
    client locks(f.context.get_executor(), f.settings());
    BOOST_REQUIRE(f.becomes_ready(locks));
    constexpr std::size_t count = 1000;
    for (int round = 0; round < 3; ++round) {
        std::vector<outcome<lease>> all(count);
        for (std::size_t i = 0; i < count; ++i)
            locks.async_lock("key" + std::to_string(i) + std::string(400, 'k'), once(), all[i].handler());
        BOOST_REQUIRE(f.run_until(
            [&] { return std::ranges::all_of(all, [](const auto& one) { return one.done(); }); }));
        BOOST_TEST(std::ranges::all_of(all, [](auto& one) { return one.value().valid(); }));
        for (auto& one : all)
            one.drop_values();
        BOOST_TEST(f.run_until([&] { return f.nodes[0].key_count() == 0; }));
    }
    for (const node_metrics& node : locks.metrics().nodes)
        BOOST_TEST(node.timeouts == 0u);
}

BOOST_AUTO_TEST_CASE(bytes_come_one_by_one) {
    proxied_tls_nodes f;
    for (auto& proxy : f.proxies)
        proxy.fragment(true);
    client locks(f.context.get_executor(), f.settings());
    BOOST_REQUIRE(f.becomes_ready(locks));
    lease held = f.lock(locks, "key");
    BOOST_TEST(!f.unlock(held));
}

BOOST_AUTO_TEST_CASE(a_connection_that_was_lost_is_made_again) {
    proxied_tls_nodes f;
    client locks(f.context.get_executor(), f.settings());
    BOOST_REQUIRE(f.becomes_ready(locks));
    for (unsigned round = 1; round <= 3; ++round) {
        for (auto& proxy : f.proxies)
            proxy.reset_connections();
        BOOST_REQUIRE(f.run_until([&] {
            const metrics_snapshot seen = locks.metrics();
            return std::ranges::all_of(seen.nodes, [&](const auto& n) { return n.reconnects == round; });
        }));
        lease held = f.lock(locks, "key");
        BOOST_TEST(!f.unlock(held));
    }
}

BOOST_AUTO_TEST_CASE(a_client_that_closes_says_goodbye) {
    tls_nodes f;
    client locks(f.context.get_executor(), f.settings());
    BOOST_REQUIRE(f.becomes_ready(locks));
    BOOST_TEST(f.nodes[0].info("connected_clients") != "1");
    f.close(locks);
    BOOST_TEST(f.run_until([&] { return f.nodes[0].info("connected_clients") == "1"; }));
}

// Without a word, and without a leak that a sanitizer would see.
BOOST_AUTO_TEST_CASE(a_context_may_be_destroyed_first) {
    tls_nodes f;
    auto own = std::make_unique<asio::io_context>();
    client locks(own->get_executor(), f.settings());
    BOOST_REQUIRE(test::run_until(*own, patience, [&] { return ready_nodes(locks) == f.nodes.size(); }));
    outcome<lease> waiting;
    locks.async_lock("key", patiently(), waiting.handler());
    own->poll_one();
    own.reset();
    BOOST_TEST(!waiting.done());
    // In the middle of a handshake, too.
    for (int steps = 0; steps < 20; ++steps) {
        own = std::make_unique<asio::io_context>();
        const client early(own->get_executor(), f.settings());
        for (int i = 0; i < steps; ++i)
            own->run_one_for(20ms);
        own.reset();
    }
}

BOOST_AUTO_TEST_CASE(nodes_are_examined) {
    tls_nodes f;
    client locks(f.context.get_executor(), f.settings());
    const std::vector<node_examination> found = f.run(locks.async_examine(asio::use_awaitable));
    BOOST_REQUIRE(found.size() == f.nodes.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        BOOST_TEST(!found[i].error, found[i].error_text);
        BOOST_TEST(found[i].node == f.nodes[i].uri() + "/0");
        BOOST_TEST(found[i].missing_rights.empty());
    }
}

// What the child has of the connection is a copy that it neither reads nor writes with.
BOOST_DATA_TEST_CASE(a_child_does_the_parents_connections_no_harm, data::make({true, false}), told) {
    tls_nodes f;
    std::optional<client> locks(std::in_place, f.context.get_executor(), f.settings());
    BOOST_REQUIRE(f.becomes_ready(*locks));
    std::optional<lease> held(f.lock(*locks, "key"));
    forked_child child([&]() -> std::string {
        if (told) f.context.notify_fork(asio::io_context::fork_child);
        if (!f.unlock(*held)) return "the child unlocked";
        held.reset();
        locks.reset();
        f.run_until(200ms, [] { return false; });
        return {};
    });
    BOOST_REQUIRE(f.run_until([&] { return child.ended(); }));
    BOOST_TEST(child.verdict() == "");
    BOOST_TEST(f.nodes.holders("key") == f.nodes.size());
    BOOST_TEST(held->valid());
    BOOST_TEST(!f.unlock(*held));
    BOOST_TEST(f.becomes_free("key"));
    for (const node_metrics& node : locks->metrics().nodes)
        BOOST_TEST(node.disconnects == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
