#include "lock_fixture.hpp"

#include <redlock/observer.hpp>

#include <boost/test/unit_test.hpp>

namespace redlock::test {
namespace {

struct inspect_test_fixture : proxied_fixture {
    key_report inspect(client& locks, const std::string& key) {
        return run(locks.async_inspect(key, asio::use_awaitable));
    }
};

// Notes what it is told.
struct notes final : observer {
    void granted(std::string_view key, std::chrono::nanoseconds) noexcept override {
        all += "granted " + std::string(key) + "; ";
    }
    void refused(std::string_view key, error_code) noexcept override {
        all += "refused " + std::string(key) + "; ";
    }
    void renewed(std::string_view key, std::chrono::nanoseconds) noexcept override {
        all += "renewed " + std::string(key) + "; ";
    }
    void lost(std::string_view key, std::chrono::nanoseconds) noexcept override {
        all += "lost " + std::string(key) + "; ";
    }
    void node_changed(std::string_view node, bool ready, std::string_view) noexcept override {
        (ready ? ups : downs).emplace_back(node);
    }
    std::string all;
    std::vector<std::string> ups;
    std::vector<std::string> downs;
};

BOOST_FIXTURE_TEST_SUITE(inspection, inspect_test_fixture)

BOOST_AUTO_TEST_CASE(a_report_says_what_each_node_says) {
    config c = settings();
    c.key_prefix = "app:";
    c.node_timeout = 500ms;
    client locks(context.get_executor(), c);
    BOOST_REQUIRE(becomes_ready(locks));
    const key_report free = inspect(locks, "key");
    BOOST_TEST(free.key == "app:key");
    BOOST_TEST(!free.holder.has_value());
    BOOST_REQUIRE(free.nodes.size() == 5u);
    for (const node_key_report& node : free.nodes)
        BOOST_TEST((!node.error && !node.value && !node.remaining));
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        BOOST_TEST(free.nodes[i].product == nodes[i].product());
        BOOST_TEST(free.nodes[i].version == nodes[i].version());
    }

    lease held = lock(locks, "key", {.ttl = 60s});
    BOOST_REQUIRE(run_until([&] { return nodes.holders("app:key") == 5; }));
    nodes[1].command({"DEL", "app:key"});
    nodes[2].command({"SET", "app:key", "somebody else"});
    proxies[3].freeze();
    const key_report mixed = inspect(locks, "key");
    const std::string token = nodes[0].get("app:key").value();
    BOOST_TEST(mixed.nodes[0].value.value_or("none") == token);
    BOOST_TEST((mixed.nodes[0].remaining.value() > 30s && mixed.nodes[0].remaining.value() <= 60s));
    BOOST_TEST((!mixed.nodes[1].value && !mixed.nodes[1].remaining));
    BOOST_TEST(mixed.nodes[2].value.value_or("none") == "somebody else");
    BOOST_TEST(!mixed.nodes[2].remaining.has_value());
    BOOST_TEST(mixed.nodes[3].error == errc::node_timeout);
    BOOST_TEST(mixed.nodes[3].node.find(std::to_string(proxies[3].port())) != std::string::npos);
    // Two of five agree, which is no majority.
    BOOST_TEST(!mixed.holder.has_value());
    nodes[2].command({"SET", "app:key", token});
    BOOST_TEST(inspect(locks, "key").holder.value_or("none") == token);
}

BOOST_AUTO_TEST_CASE(a_report_counts_who_waits) {
    for (auto& node : nodes)
        node.command({"CONFIG", "SET", "notify-keyspace-events", "KEA"});
    // The last node's user must not ask.
    nodes[4].command({"ACL", "SETUSER", "default", "-pubsub|numsub"});
    client locks(context.get_executor(), settings());
    client other(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    BOOST_REQUIRE(becomes_ready(other));
    BOOST_TEST(inspect(locks, "key").waiting.value_or(9) == 0u);
    lease held = lock(locks, "key");
    // Two callers of one client: it listens once.
    outcome<lease> first, second;
    other.async_lock("key", patiently(), first.handler());
    other.async_lock("key", patiently(), second.handler());
    BOOST_TEST(run_until([&] { return inspect(locks, "key").waiting == 1u; }));
    const key_report waited_for = inspect(locks, "key");
    BOOST_TEST(waited_for.nodes[0].listeners.value_or(9) <= 1u);
    BOOST_TEST(!waited_for.nodes[4].listeners.has_value());
    BOOST_TEST(!waited_for.nodes[4].error);
    BOOST_TEST(!unlock(held));
    BOOST_REQUIRE(run_until([&] { return first.done(); }));
    first.drop_values();
    BOOST_REQUIRE(run_until([&] { return second.done(); }));
    BOOST_TEST(run_until([&] { return inspect(locks, "key").waiting == 0u; }));
}

// Asked while the client has yet to connect, a node is asked for the channel of its own database all the
// same.
BOOST_AUTO_TEST_CASE(the_first_report_counts_who_waits_in_its_database) {
    config c = settings();
    c.node_timeout = 10s;
    for (std::string& node : c.nodes)
        node += "/5";
    std::vector<redis_connection> ears;
    for (auto& node : nodes) {
        ears.emplace_back(node.unix_uri().substr(std::string_view("unix://").size()));
        ears.back().command({"SUBSCRIBE", "__keyspace@5__:key"});
    }
    client locks(context.get_executor(), c);
    const key_report first = inspect(locks, "key");
    BOOST_TEST(first.waiting.value_or(9) == 1u);
    for (const node_key_report& node : first.nodes)
        BOOST_TEST(node.listeners.value_or(9) == 1u, node.node);
}

BOOST_AUTO_TEST_CASE(metrics_count_what_happens) {
    client locks(context.get_executor(), settings());
    client other(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    {
        lease held = lock(locks, "key", {.ttl = 1s});
        BOOST_TEST(locks.metrics().held == 1u);
        BOOST_TEST(try_lock(other, "key") == errc::held);
        BOOST_TEST(run_until([&] { return locks.metrics().renewals >= 2; }));
        BOOST_TEST(!unlock(held));
    }
    const metrics_snapshot seen = locks.metrics();
    BOOST_TEST(seen.grants == 1u);
    BOOST_TEST(seen.unlocks == 1u);
    BOOST_TEST(seen.held == 0u);
    BOOST_TEST(seen.waiting == 0u);
    BOOST_TEST(seen.inflight == 0u);
    BOOST_TEST(seen.queued == 0u);
    BOOST_TEST(seen.nodes.size() == 5u);
    for (const node_metrics& node : seen.nodes) {
        BOOST_TEST(node.connects == 1u);
        BOOST_TEST(node.timeouts == 0u);
        BOOST_TEST(node.commands >= 4u);
        BOOST_TEST((node.round_trip > 0ns));
    }
    BOOST_TEST(other.metrics().refusals >= 1u);
}

BOOST_AUTO_TEST_CASE(an_observer_is_told_of_it) {
    auto told = std::make_shared<notes>();
    config c = settings();
    c.observer = told;
    client locks(context.get_executor(), c);
    BOOST_REQUIRE(becomes_ready(locks));
    BOOST_TEST(told->ups.size() == 5u);
    lease held = lock(locks, "key", {.ttl = 6s});
    BOOST_TEST(try_lock(locks, "key") == errc::held);
    BOOST_TEST(run_until([&] { return locks.metrics().renewals == 1; }));
    for (auto& node : nodes)
        node.command({"DEL", "key"});
    BOOST_TEST(run_until([&] { return held.stop_token().stop_requested(); }));
    BOOST_TEST(told->all == "granted key; refused key; renewed key; lost key; ");
    nodes[2].kill();
    BOOST_TEST(run_until([&] { return told->downs.size() == 1; }));
    BOOST_TEST(told->downs.at(0).find(std::to_string(proxies[2].port())) != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
