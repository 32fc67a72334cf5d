#include "lock_fixture.hpp"

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/strand.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <set>

namespace redlock::test {
namespace {

using clock = std::chrono::steady_clock;

BOOST_FIXTURE_TEST_SUITE(acquire, lock_fixture)

BOOST_AUTO_TEST_CASE(a_grant_has_one_token_on_every_node) {
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    lease held = lock(locks, "key", {.ttl = 60s, .wait = 0ms});
    BOOST_TEST(held.valid());
    BOOST_TEST(held.key() == "key");
    // 1 % of the ttl and 2 ms are set aside for drifting clocks.
    BOOST_TEST((held.remaining() <= 60s - 602ms));
    BOOST_TEST((held.remaining() > 30s));
    BOOST_TEST(run_until([&] { return nodes.holders("key") == 5; }));
    std::set<std::string> tokens;
    for (auto& node : nodes) {
        tokens.insert(node.get("key").value());
        BOOST_TEST((node.pttl("key") > 30s && node.pttl("key") <= 60s));
    }
    BOOST_TEST(tokens.size() == 1u);
    // 160 random bits do not fit into less.
    BOOST_TEST(tokens.begin()->size() >= 20u);
    BOOST_TEST(!unlock(held));
    BOOST_TEST(!held.valid());
    BOOST_TEST(becomes_free("key"));
}

BOOST_AUTO_TEST_CASE(no_two_grants_have_the_same_token) {
    client locks(context.get_executor(), settings());
    std::set<std::string> tokens;
    for (int i = 0; i < 20; ++i) {
        lease held = lock(locks, "key");
        BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == 5; }));
        tokens.insert(nodes[0].get("key").value());
        BOOST_TEST(!unlock(held));
        BOOST_REQUIRE(becomes_free("key"));
    }
    BOOST_TEST(tokens.size() == 20u);
}

// Whoever put it there, and whatever its value says.
BOOST_AUTO_TEST_CASE(a_key_whose_value_reads_like_a_yes_is_held) {
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    for (auto& node : nodes)
        node.command({"SET", "key", "OK"});
    BOOST_TEST(try_lock(locks, "key") == errc::held);
    for (auto& node : nodes)
        BOOST_TEST(node.get("key").value_or("") == "OK");
}

BOOST_AUTO_TEST_CASE(one_attempt_on_a_held_key_is_refused) {
    client one(context.get_executor(), settings());
    client two(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(one));
    lease held = lock(one, "key");
    // A node that the grant was not waited for would have it from whoever is quicker there.
    BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == 5; }));
    BOOST_TEST(try_lock(two, "key") == errc::held);
    BOOST_TEST(try_lock(one, "key") == errc::held);
    outcome<lease> tried;
    two.async_try_lock("key", patiently(), tried.handler());
    BOOST_TEST(run_until([&] { return tried.done(); }));
    BOOST_TEST(tried.error() == errc::held);
    BOOST_TEST(!tried.value());
    BOOST_TEST(!try_lock(two, "another key"));
    BOOST_TEST(held.valid());
    BOOST_TEST(nodes.holders("key") == 5);
}

BOOST_AUTO_TEST_CASE(an_operation_that_was_copied_can_be_started_twice) {
    client locks(context.get_executor(), settings());
    const auto operation = locks.async_lock(std::string(100, 'k'), once());
    auto copy = locks.async_lock("another key", once());
    copy = operation;
    for (int i = 0; i < 2; ++i) {
        outcome<lease> taken;
        if (i == 0)
            std::move(copy)(taken.handler());
        else
            operation(taken.handler());
        BOOST_REQUIRE(run_until([&] { return taken.done(); }));
        BOOST_TEST(!taken.error());
        BOOST_TEST(taken.value().key() == std::string(100, 'k'));
        BOOST_TEST(!unlock(taken.value()));
        BOOST_TEST(becomes_free(std::string(100, 'k')));
    }
    const auto of_one_that_was_started = copy;
    copy = of_one_that_was_started;
    BOOST_TEST(nodes.holders("another key") == 0);
}

BOOST_AUTO_TEST_CASE(a_wait_ends_when_it_was_to_end) {
    client one(context.get_executor(), settings());
    client two(context.get_executor(), settings());
    lease held = lock(one, "key");
    const auto start = clock::now();
    BOOST_TEST(try_lock(two, "key", {.ttl = long_ttl, .wait = 300ms}) == errc::wait_timeout);
    BOOST_TEST((clock::now() - start >= 300ms));
    BOOST_TEST((clock::now() - start < 10s));
    BOOST_TEST(!unlock(held));
    BOOST_TEST(becomes_free("key"));
}

BOOST_AUTO_TEST_CASE(a_waiter_gets_the_key_when_it_is_unlocked) {
    client one(context.get_executor(), settings());
    client two(context.get_executor(), settings());
    lease held = lock(one, "key");
    outcome<lease> waiting;
    two.async_lock("key", patiently(), waiting.handler());
    BOOST_TEST(!run_until(200ms, [&] { return waiting.done(); }));
    BOOST_TEST(!unlock(held));
    BOOST_TEST(run_until([&] { return waiting.done(); }));
    BOOST_TEST(!waiting.error());
    BOOST_TEST(waiting.value().valid());
}

BOOST_AUTO_TEST_CASE(waiters_of_one_client_get_the_key_one_after_the_other) {
    client locks(context.get_executor(), settings());
    int inside = 0;
    int holds = 0;
    auto hold = [&]() -> asio::awaitable<void> {
        lease held = co_await locks.async_lock("key", {.ttl = 30s});
        BOOST_TEST(++inside == 1);
        asio::steady_timer pause(context, 2ms);
        co_await pause.async_wait(asio::deferred);
        BOOST_TEST(held.valid());
        --inside;
        co_await held.async_unlock();
        ++holds;
    };
    for (int i = 0; i < 20; ++i)
        asio::co_spawn(context, hold(), [](std::exception_ptr failure) { BOOST_TEST(!failure); });
    BOOST_TEST(run_until([&] { return holds == 20; }));
}

BOOST_AUTO_TEST_CASE(keys_are_bytes_behind_a_prefix) {
    config c = settings();
    c.key_prefix = "app:";
    client locks(context.get_executor(), c);
    const std::string key("a b\r\n\0\xff*3\r\n$", 13);
    lease held = lock(locks, key);
    BOOST_TEST(held.key() == key);
    BOOST_TEST(run_until([&] { return nodes.holders("app:" + key) == 5; }));
    BOOST_TEST(nodes.holders(key) == 0u);
    BOOST_TEST(!unlock(held));
    BOOST_TEST(becomes_free("app:" + key));
}

BOOST_AUTO_TEST_CASE(nodes_are_reached_over_unix_sockets_and_in_other_databases) {
    config c = settings();
    c.nodes = nodes.unix_uris();
    for (auto& uri : c.nodes)
        uri += "?db=3";
    client over_sockets(context.get_executor(), c);
    for (std::size_t i = 0; i < nodes.size(); ++i)
        c.nodes[i] = nodes[i].uri() + "/3";
    client over_tcp(context.get_executor(), c);
    lease held = lock(over_sockets, "key");
    BOOST_TEST(nodes.holders("key") == 0u);
    for (auto& node : nodes)
        node.command({"SELECT", "3"});
    // Before another client can be faster at a node that is still being reached.
    BOOST_TEST(run_until([&] { return nodes.holders("key") == 5; }));
    BOOST_TEST(try_lock(over_tcp, "key") == errc::held);
}

BOOST_AUTO_TEST_CASE(one_node_is_a_majority_of_one) {
    config c = settings();
    c.nodes = {nodes[0].uri()};
    client locks(context.get_executor(), c);
    lease held = lock(locks, "key");
    BOOST_TEST(held.valid());
    BOOST_TEST(try_lock(locks, "key") == errc::held);
    BOOST_TEST(!unlock(held));
}

BOOST_AUTO_TEST_CASE(more_calls_than_places_on_the_wire_wait_their_turn) {
    config c = settings();
    c.max_inflight = 2;
    client locks(context.get_executor(), c);
    std::vector<outcome<lease>> all(300);
    for (std::size_t i = 0; i < all.size(); ++i)
        locks.async_lock("key" + std::to_string(i), once(), all[i].handler());
    std::size_t most_inflight = 0;
    BOOST_TEST(run_until([&] {
        most_inflight = std::max(most_inflight, locks.metrics().inflight);
        return std::ranges::all_of(all, [](const auto& one) { return one.done(); });
    }));
    for (auto& one : all)
        BOOST_TEST(!one.error());
    BOOST_TEST(most_inflight == 2u);
    BOOST_TEST(locks.metrics().held == all.size());
}

BOOST_AUTO_TEST_CASE(handlers_run_later_and_on_their_own_executor) {
    client locks(context.get_executor(), settings());
    const auto strand = asio::make_strand(context);
    bool done = false;
    auto handler = [&](error_code failure, lease) {
        BOOST_TEST(strand.running_in_this_thread());
        BOOST_TEST(!failure);
        done = true;
    };
    locks.async_lock(std::string("a key that is gone after the call"), once(),
                     asio::bind_executor(strand, handler));
    BOOST_TEST(!done);
    BOOST_TEST(run_until([&] { return done; }));
    outcome<lease> refused;
    locks.async_lock("", once(), refused.handler());
    BOOST_TEST(!refused.done());
    BOOST_TEST(run_until([&] { return refused.done(); }));
    BOOST_TEST(refused.error() == errc::invalid_key);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
