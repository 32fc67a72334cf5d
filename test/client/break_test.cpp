#include "lock_fixture.hpp"

#include <boost/test/unit_test.hpp>

namespace redlock::test {
namespace {

struct break_test_fixture : proxied_fixture {
    key_report inspect(client& locks, const std::string& key) {
        return run(locks.async_inspect(key, asio::use_awaitable));
    }

    break_report break_lock(client& locks, const key_report& shown) {
        return run(locks.async_break(shown, asio::use_awaitable));
    }

    error_code refusal(client& locks, const key_report& shown) {
        outcome<break_report> result;
        locks.async_break(shown, result.handler());
        if (!run_until([&] { return result.done(); }))
            throw std::runtime_error("async_break did not complete");
        return result.error();
    }
};

BOOST_FIXTURE_TEST_SUITE(breaking, break_test_fixture)

BOOST_AUTO_TEST_CASE(a_broken_lock_is_lost_to_its_holder_and_goes_to_who_waits) {
    config c = settings();
    c.key_prefix = "app:";
    client holder(context.get_executor(), c);
    client operating(context.get_executor(), c);
    client waiting(context.get_executor(), c);
    BOOST_REQUIRE((becomes_ready(holder) && becomes_ready(operating) && becomes_ready(waiting)));
    lock_options fenced = patiently();
    fenced.ttl = 3s;
    fenced.fencing = true;
    lease held = lock(holder, "key", fenced);
    fenced.ttl = long_ttl;
    outcome<lease> next;
    waiting.async_lock("key", fenced, next.handler());
    BOOST_REQUIRE(run_until([&] { return waiting.metrics().refusals > 0; }));
    const key_report shown = inspect(operating, "key");
    BOOST_REQUIRE(shown.holder.has_value());

    const break_report done = break_lock(operating, shown);
    BOOST_TEST(done.key == "app:key");
    BOOST_TEST(done.removed == 5u);
    BOOST_REQUIRE(done.nodes.size() == 5u);
    for (const node_break_report& node : done.nodes)
        BOOST_TEST((node.outcome == removal::removed && !node.error));
    BOOST_TEST(run_until([&] { return next.done(); }));
    BOOST_TEST(!next.error());
    BOOST_TEST((next.value().fencing_token() > held.fencing_token()));
    BOOST_TEST(run_until([&] { return held.stop_token().stop_requested(); }));
    BOOST_TEST(next.value().valid());
    BOOST_TEST((inspect(operating, "key").holder != shown.holder));
}

BOOST_AUTO_TEST_CASE(only_what_was_shown_is_removed) {
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    for (const std::size_t node : {0u, 1u, 2u, 3u})
        nodes[node].command({"SET", "key", "first"});
    const key_report shown = inspect(locks, "key");
    nodes[1].command({"SET", "key", "second"});
    nodes[2].command({"DEL", "key"});
    nodes[4].command({"SET", "key", "first"});
    const break_report done = break_lock(locks, shown);
    BOOST_TEST(done.removed == 2u);
    BOOST_TEST((done.nodes[0].outcome == removal::removed));
    BOOST_TEST((done.nodes[1].outcome == removal::changed));
    BOOST_TEST((done.nodes[2].outcome == removal::changed));
    BOOST_TEST((done.nodes[3].outcome == removal::removed));
    BOOST_TEST((done.nodes[4].outcome == removal::nothing_shown));
    BOOST_TEST(nodes[1].get("key").value() == "second");
    BOOST_TEST(nodes[4].get("key").value() == "first");
    // By now somebody else holds it everywhere.
    const key_report others = inspect(locks, "key");
    for (auto& node : nodes)
        node.command({"SET", "key", "third"});
    BOOST_TEST(break_lock(locks, others).removed == 0u);
    BOOST_TEST(nodes.holders("key") == 5u);
}

BOOST_AUTO_TEST_CASE(a_node_that_did_not_answer_is_told_what_the_majority_said) {
    config c = settings();
    c.node_timeout = 500ms;
    client locks(context.get_executor(), c);
    BOOST_REQUIRE(becomes_ready(locks));
    for (auto& node : nodes)
        node.command({"SET", "key", "holder"});
    nodes[1].command({"SET", "key", "another"});
    proxies[0].freeze();
    proxies[1].freeze();
    const key_report shown = inspect(locks, "key");
    BOOST_TEST(shown.nodes[0].error == errc::node_timeout);
    const break_report silent = break_lock(locks, shown);
    BOOST_TEST(silent.removed == 3u);
    BOOST_TEST((silent.nodes[0].outcome == removal::failed));
    BOOST_TEST(silent.nodes[0].error == errc::node_timeout);
    // The one is told in the end, and the other keeps what nobody has shown.
    proxies[0].pass();
    proxies[1].pass();
    BOOST_TEST(run_until([&] { return !nodes[0].exists("key"); }));
    BOOST_REQUIRE(becomes_ready(locks));
    const break_report again = break_lock(locks, shown);
    BOOST_TEST(again.removed == 0u);
    BOOST_TEST((again.nodes[1].outcome == removal::changed));
    BOOST_TEST(nodes[1].get("key").value() == "another");
}

BOOST_AUTO_TEST_CASE(a_report_of_other_keys_or_nodes_is_refused) {
    config c = settings();
    c.key_prefix = "app:";
    client locks(context.get_executor(), c);
    BOOST_REQUIRE(becomes_ready(locks));
    key_report shown = inspect(locks, "key");
    key_report other = shown;
    other.key = "key";
    BOOST_TEST(refusal(locks, other) == errc::invalid_key);
    other.key = "app:";
    BOOST_TEST(refusal(locks, other) == errc::invalid_key);
    other = shown;
    other.nodes.pop_back();
    BOOST_TEST(refusal(locks, other) == errc::invalid_option);
    other = shown;
    std::swap(other.nodes[0], other.nodes[1]);
    BOOST_TEST(refusal(locks, other) == errc::invalid_option);
    BOOST_TEST(!refusal(locks, shown));
    close(locks);
    BOOST_TEST(refusal(locks, shown) == errc::closed);
}

BOOST_AUTO_TEST_CASE(a_user_without_the_right_is_told_so) {
    for (auto& node : nodes)
        node.command({"ACL", "SETUSER", "reader", "on", ">secret", "~*", "-@all", "+get", "+pttl", "+info",
                      "+hello", "+client|setname"});
    config c = settings();
    for (std::size_t i = 0; i < nodes.size(); ++i)
        c.nodes[i] = nodes[i].uri("reader", "secret");
    client locks(context.get_executor(), c);
    BOOST_REQUIRE(run_until([&] { return ready_nodes(locks) == 5; }));
    for (auto& node : nodes)
        node.command({"SET", "key", "holder"});
    const break_report done = break_lock(locks, inspect(locks, "key"));
    BOOST_TEST(done.removed == 0u);
    for (const node_break_report& node : done.nodes)
        BOOST_TEST(node.error == errc::permission_denied);
    BOOST_TEST(nodes.holders("key") == 5u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
