// A resolver that fails, takes its time or says something new.

#include "client/forked_child.hpp"
#include "network/network_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>
#include <thread>

namespace redlock::test {

BOOST_FIXTURE_TEST_SUITE(names_of_nodes, network_fixture)

BOOST_AUTO_TEST_CASE(a_name_that_is_not_found_is_found_later) {
    names.refuse("late.test");
    client locks(context.get_executor(), settings({"late.test"}));
    BOOST_TEST(is_lost(locks, uri("late.test") + "/0 cannot be reached: Host not found (non-authoritative)"));
    names.tell("late.test", {});
    BOOST_TEST(is_lost(locks, uri("late.test") + "/0 cannot be reached: Host not found (authoritative)"));
    redis_server server(at("127.0.0.2"));
    names.tell("late.test", {"127.0.0.2"});
    BOOST_TEST(becomes_ready(locks));
    lock_and_unlock(locks, "key");
}

// Each name waits for itself alone, an attempt for no longer than its deadline, and the end of the client for
// none.
BOOST_AUTO_TEST_CASE(a_resolver_that_hangs_holds_up_no_other_name_and_no_close) {
    redis_server one(at("127.0.0.2")), two(at("127.0.0.3"));
    names.hold("hangs.test");
    names.tell("one.test", {"127.0.0.2"});
    names.tell("two.test", {"127.0.0.3"});
    config c = settings({"hangs.test", "one.test", "two.test"});
    c.node_timeout = 1s;
    client locks(context.get_executor(), c);
    lock_and_unlock(locks, "key");
    BOOST_TEST(is_lost(locks, "within 1000 ms and the system's resolver has not said where hangs.test is"));
    BOOST_TEST(node(locks).last_error_text.starts_with(uri("hangs.test") + "/0 did not"));
    // The next attempts ask nothing anew.
    BOOST_TEST(run_until([&] { return node(locks).state == "unavailable"; }));
    BOOST_TEST(names.asked("hangs.test") == 2u);
    run(locks.async_close(asio::use_awaitable));
    BOOST_TEST(names.asked("hangs.test") == 2u);
    // The end of the context would wait for the resolver, whose own limit is half a minute here.
    names.refuse("hangs.test");
}

BOOST_AUTO_TEST_CASE(an_answer_that_comes_after_the_attempt_is_of_use_to_the_next) {
    redis_server server(at("127.0.0.2"));
    names.hold("slow.test");
    config c = settings({"slow.test"});
    c.node_timeout = 50ms;
    client locks(context.get_executor(), c);
    BOOST_TEST(is_lost(locks, "the system's resolver"));
    names.tell("slow.test", {"127.0.0.2"});
    BOOST_TEST(becomes_ready(locks));
    BOOST_TEST(names.asked("slow.test") == 2u);
}

BOOST_AUTO_TEST_CASE(a_context_that_ends_while_the_resolver_hangs_leaves_nothing_behind) {
    names.hold("hangs.test");
    auto other = std::make_unique<asio::io_context>();
    auto locks = std::make_unique<client>(other->get_executor(), settings({"hangs.test"}));
    BOOST_REQUIRE(test::run_until(*other, patience, [&] { return names.asked("hangs.test") == 2; }));
    locks.reset();
    // It waits for the resolver, whose own limit is half a minute here.
    std::thread end([&] { other.reset(); });
    names.refuse("hangs.test");
    end.join();
}

BOOST_AUTO_TEST_CASE(a_name_that_moves_when_its_server_is_gone_is_followed) {
    redis_server before(at("127.0.0.2")), after(at("127.0.0.3"));
    names.tell("moves.test", {"127.0.0.2"});
    client locks(context.get_executor(), settings({"moves.test"}));
    lock_and_unlock(locks, "key");
    BOOST_TEST(node(locks).connects == 1u);
    names.tell("moves.test", {"127.0.0.3"});
    before.kill();
    BOOST_TEST(run_until([&] { return node(locks).connects == 2 && node(locks).state == "ready"; }));
    lease held = run(locks.async_lock("key", {.wait = patience}, asio::use_awaitable));
    BOOST_TEST(after.exists("key"));
    run(held.async_unlock(asio::use_awaitable));
}

// The thread that asks is the parent's, and so may be the mutex: what the child asks, it asks itself.
BOOST_AUTO_TEST_CASE(a_child_asks_anew_for_what_its_parent_waits_for) {
    redis_server server(at("127.0.0.2"));
    names.hold("hangs.test");
    client locks(context.get_executor(), settings({"hangs.test"}));
    BOOST_REQUIRE(run_until([&] { return names.asked("hangs.test") == 2; }));
    forked_child child([&]() -> std::string {
        context.notify_fork(asio::io_context::fork_child);
        client own(context.get_executor(), settings({"hangs.test"}));
        if (!becomes_ready(own)) return "the child has not found the name: " + node(own).last_error_text;
        lock_and_unlock(own, "key");
        run(own.async_close(asio::use_awaitable));
        run(locks.async_close(asio::use_awaitable));
        return {};
    });
    BOOST_TEST(run_until([&] { return names.asked("hangs.test") == 4; }));
    names.tell("hangs.test", {"127.0.0.2"});
    BOOST_REQUIRE(run_until([&] { return child.ended(); }));
    BOOST_TEST(child.verdict() == "");
    BOOST_TEST(becomes_ready(locks));
    lock_and_unlock(locks, "key");
    // Each has had the answers to its own questions.
    BOOST_TEST(names.asked("hangs.test") == 4u);
}

// The guide says so: whoever is connected stays, and only who comes anew asks for the name.
BOOST_AUTO_TEST_CASE(a_name_that_moves_while_its_server_lives_is_followed_when_the_connection_ends) {
    redis_server before(at("127.0.0.2")), after(at("127.0.0.3"));
    names.tell("moves.test", {"127.0.0.2"});
    client locks(context.get_executor(), settings({"moves.test"}));
    lock_and_unlock(locks, "key");
    names.tell("moves.test", {"127.0.0.3"});
    lease held = run(locks.async_lock("key", {.wait = patience}, asio::use_awaitable));
    BOOST_TEST((before.exists("key") && !after.exists("key")));
    run(held.async_unlock(asio::use_awaitable));
    before.command({"CLIENT", "KILL", "SKIPME", "yes"});
    BOOST_TEST(run_until([&] { return node(locks).connects == 2 && node(locks).state == "ready"; }));
    held = run(locks.async_lock("key", {.wait = patience}, asio::use_awaitable));
    BOOST_TEST(after.exists("key"));
    run(held.async_unlock(asio::use_awaitable));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test
