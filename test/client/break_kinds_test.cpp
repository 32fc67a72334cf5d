// What is told of keys that are read, or waited for by somebody who is to write, and how they are taken away.

#include "read_write_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <stop_token>
#include <string>

namespace redlock::test {
namespace {

struct break_kinds_fixture : read_write_fixture {
    key_report inspect(client& locks) { return run(locks.async_inspect("key", asio::use_awaitable)); }
    break_report break_lock(client& locks, const key_report& shown) {
        return run(locks.async_break(shown, asio::use_awaitable));
    }
};

BOOST_FIXTURE_TEST_SUITE(breaking_kinds, break_kinds_fixture)

BOOST_AUTO_TEST_CASE(who_reads_is_told_with_the_time_that_is_left) {
    BOOST_REQUIRE((becomes_ready(first) && becomes_ready(second)));
    BOOST_TEST(inspect(first).readers.empty());
    lease one = lock(first, "key", to_read());
    lease two = lock(second, "key", to_read());
    BOOST_REQUIRE(run_until([&] { return nodes.holders(readers_of_key) == 5; }));
    for (auto& node : nodes) // long over
        node.command({"ZADD", readers_of_key, "1000", "of the past"});
    key_report shown = inspect(first);
    BOOST_TEST(shown.readers.size() == 2u);
    BOOST_TEST(!shown.holder.has_value());
    for (const node_key_report& node : shown.nodes) {
        BOOST_REQUIRE(node.readers.has_value());
        BOOST_TEST(!node.more_readers);
        for (const reader_report& reader : *node.readers)
            BOOST_TEST((reader.remaining > long_ttl / 2 && reader.remaining <= long_ttl + 1ms));
    }
    BOOST_TEST(!unlock(one));
    BOOST_TEST(!unlock(two));
    BOOST_TEST(run_until([&] { return inspect(first).readers.empty(); }));
}

BOOST_AUTO_TEST_CASE(of_very_many_who_read_some_are_told) {
    BOOST_REQUIRE(becomes_ready(first));
    for (auto& node : nodes)
        for (int i = 0; i < 70; ++i)
            node.command({"ZADD", readers_of_key, std::to_string(9'000'000'000'000 + i),
                          i == 69 ? std::string(500, 'x') : "reader " + std::to_string(i)});
    const key_report shown = inspect(first);
    BOOST_TEST(shown.readers.size() == 64u);
    for (const node_key_report& node : shown.nodes)
        BOOST_TEST(node.readers->size() == 64u);
    BOOST_TEST(break_lock(first, shown).nodes[0].readers_removed == 64u);
    BOOST_TEST(nodes[0].command({"ZCARD", readers_of_key}).integer == 6);
}

BOOST_AUTO_TEST_CASE(a_user_who_may_run_no_scripts_is_told_the_rest) {
    for (auto& node : nodes)
        node.command({"ACL", "SETUSER", "looker", "on", ">secret", "~*", "&*", "+@all", "-eval", "-evalsha"});
    config c = settings();
    for (std::size_t i = 0; i < nodes.size(); ++i)
        c.nodes[i] = nodes[i].uri("looker", "secret");
    client looker(context.get_executor(), c);
    BOOST_REQUIRE(run_until([&] { return ready_nodes(looker) == 5; }));
    lease held = lock(first, "key", to_read());
    const key_report shown = inspect(looker);
    for (const node_key_report& node : shown.nodes)
        BOOST_TEST((!node.error && !node.readers));
    BOOST_TEST(shown.readers.empty());
}

BOOST_AUTO_TEST_CASE(readers_that_are_broken_are_lost_and_let_a_writer_in) {
    BOOST_REQUIRE((becomes_ready(first) && becomes_ready(second)));
    std::stop_source stop;
    lock_options brief = to_read();
    brief.ttl = 3s;
    brief.stop = &stop;
    lease reader = lock(first, "key", brief);
    BOOST_REQUIRE(run_until([&] { return nodes.holders(readers_of_key) == 5; }));
    const key_report shown = inspect(second);
    const break_report done = break_lock(second, shown);
    BOOST_TEST(done.removed == 5u);
    for (const node_break_report& node : done.nodes)
        BOOST_TEST((node.outcome == removal::removed && node.readers_removed == 1));
    lease writer = lock(second, "key", to_write());
    BOOST_TEST(run_until([&] { return stop.stop_requested(); }));
    BOOST_TEST(!reader.valid());
    BOOST_TEST(writer.valid());
    const break_report again = break_lock(second, shown);
    BOOST_TEST(again.removed == 0u);
    BOOST_TEST((again.nodes[0].outcome == removal::changed));
    BOOST_TEST(writer.valid());
}

// Its key is gone with it, and another that waits gets in before it.
BOOST_AUTO_TEST_CASE(a_writer_that_waits_for_readers_does_not_put_its_key_back) {
    BOOST_REQUIRE((becomes_ready(first) && becomes_ready(second)));
    lease reader = lock(first, "key", to_read());
    outcome<lease> broken, waiting;
    first.async_lock("key", to_write(), broken.handler());
    BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == 5; }));
    key_report shown = inspect(second);
    BOOST_REQUIRE(shown.holder.has_value());
    BOOST_TEST(shown.readers.size() == 1u);
    second.async_lock("key", to_write(), waiting.handler());
    settle();
    shown.readers.clear(); // only the one who waits to write
    for (node_key_report& node : shown.nodes)
        node.readers.reset();
    BOOST_TEST(break_lock(second, shown).removed == 5u);
    BOOST_REQUIRE(run_until([&] {
        const key_report now = inspect(second);
        return now.holder && now.holder != shown.holder;
    }));
    BOOST_TEST(!unlock(reader));
    BOOST_REQUIRE(run_until([&] { return broken.done() || waiting.done(); }));
    auto& one = broken.done() ? broken : waiting;
    auto& other = broken.done() ? waiting : broken;
    BOOST_TEST((!one.error() && !other.done()));
    BOOST_TEST(!unlock(one.value()));
    BOOST_REQUIRE(run_until([&] { return other.done(); }));
    BOOST_TEST(!unlock(other.value()));
    BOOST_TEST(nothing_is_left());
}

BOOST_AUTO_TEST_CASE(a_writer_that_lost_its_key_to_somebody_keeps_its_place) {
    constexpr std::size_t client_and_ticket = 8 + 9;
    lock_options brief = to_write();
    brief.ttl = 6s;
    lease reader = lock(first, "key", to_read());
    outcome<lease> writer;
    second.async_lock("key", brief, writer.handler());
    BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == 5; }));
    const std::string before = nodes[0].get("key").value();
    const auto refused = second.metrics().refusals;
    for (auto& node : nodes)
        node.command({"SET", "key", "somebody", "PX", "60000"});
    BOOST_REQUIRE(run_until([&] { return second.metrics().refusals > refused; })); // it asks anew
    for (auto& node : nodes)
        node.command({"DEL", "key"});
    std::string after;
    BOOST_REQUIRE(run_until([&] {
        after = nodes[0].get("key").value_or("somebody");
        return after != "somebody" && after != before;
    }));
    BOOST_TEST(after.substr(0, client_and_ticket) == before.substr(0, client_and_ticket));
    BOOST_REQUIRE(run_until(
        [&] { return std::ranges::all_of(nodes, [&](auto& node) { return node.get("key") == after; }); }));
    // Unless it was taken away.
    for (auto& node : nodes)
        node.command({"DEL", "key"});
    BOOST_REQUIRE(run_until([&] {
        const std::string now = nodes[0].get("key").value_or(after);
        return now.substr(0, client_and_ticket) != after.substr(0, client_and_ticket);
    }));
    BOOST_TEST(!unlock(reader));
    BOOST_REQUIRE(run_until([&] { return writer.done(); }));
    BOOST_TEST(!writer.error());
}

BOOST_AUTO_TEST_CASE(a_minority_that_lost_the_key_of_a_writer_who_waits_gets_it_back) {
    lock_options brief = to_write();
    brief.ttl = 900ms;
    lease reader = lock(first, "key", to_read());
    outcome<lease> writer;
    second.async_lock("key", brief, writer.handler());
    BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == 5; }));
    const std::string value = nodes[4].get("key").value();
    nodes[0].command({"DEL", "key"});
    nodes[1].command({"DEL", "key"});
    BOOST_TEST(run_until([&] { return nodes.holders("key") == 5; }));
    BOOST_TEST(nodes[0].get("key").value() == value);
    BOOST_TEST(!unlock(reader));
    BOOST_REQUIRE(run_until([&] { return writer.done(); }));
    BOOST_TEST(!writer.error());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
