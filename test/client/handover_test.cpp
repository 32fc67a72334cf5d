// A key that is handed from one client to the next.

#include "handover_fixture.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <string>

namespace redlock::test {
namespace {

namespace asio = boost::asio;

BOOST_FIXTURE_TEST_SUITE(handover, handover_fixture)

BOOST_AUTO_TEST_CASE(those_who_wait_are_served_in_the_order_of_their_calls) {
    lease held = lock_everywhere(clients[0]);
    line_up();
    for (std::size_t i = 1; i < clients.size(); ++i) {
        BOOST_TEST(!unlock(held));
        held = take_from(waiting[i]);
        BOOST_TEST(held.valid());
        for (std::size_t later = i + 1; later < clients.size(); ++later)
            BOOST_TEST(!waiting[later].done());
        BOOST_TEST(clients[i].metrics().directed_handovers == 1u);
        BOOST_TEST(clients[i].metrics().remote_handoffs == 1u);
        BOOST_TEST(clients[i].metrics().undirected_waits == 0u);
    }
    BOOST_TEST(!unlock(held));
    nothing_is_left();
}

BOOST_AUTO_TEST_CASE(a_first_renewal_brings_the_whole_ttl) {
    lease held = lock_everywhere(clients[0]);
    line_up();
    BOOST_TEST(!unlock(held));
    held = take_from(waiting[1]);
    BOOST_TEST(run_until([&] { return held.remaining() > long_ttl / 2; }));
    BOOST_TEST(run_until([&] { return nodes[0].pttl("key") > long_ttl / 2; }));
}

BOOST_AUTO_TEST_CASE(who_does_not_want_it_any_more_is_passed_over) {
    lease held = lock_everywhere(clients[0]);
    waiting.resize(2);
    asio::cancellation_signal cancel;
    clients[1].async_lock("key", patiently(),
                          asio::bind_cancellation_slot(cancel.slot(), waiting[0].handler()));
    BOOST_REQUIRE(all_queue(1));
    clients[2].async_lock("key", patiently(), waiting[1].handler());
    BOOST_REQUIRE(all_queue(2));
    cancel.emit(asio::cancellation_type::total);
    BOOST_REQUIRE(run_until([&] { return waiting[0].done(); }));
    BOOST_TEST(waiting[0].error() == asio::error::operation_aborted);
    BOOST_REQUIRE(all_queue(1));
    BOOST_TEST(!unlock(held));
    held = take_from(waiting[1]);
    BOOST_TEST(!unlock(held));
    nothing_is_left();
}

BOOST_AUTO_TEST_CASE(a_later_caller_of_the_same_client_waits_for_one_of_another) {
    lease held = lock_everywhere(clients[0]);
    waiting.resize(2);
    clients[1].async_lock("key", patiently(), waiting[0].handler());
    BOOST_REQUIRE(all_queue(1));
    let_hear(clients[0]);
    clients[0].async_lock("key", patiently(), waiting[1].handler());
    BOOST_TEST(!unlock(held));
    held = take_from(waiting[0]);
    BOOST_TEST(!waiting[1].done());
    BOOST_TEST(!unlock(held));
    held = take_from(waiting[1]);
    BOOST_TEST(!unlock(held));
    nothing_is_left();
}

BOOST_AUTO_TEST_CASE(a_client_that_is_gone_is_passed_over) {
    lease held = lock_everywhere(clients[0]);
    {
        client gone(context.get_executor(), settings());
        BOOST_REQUIRE(becomes_ready(gone));
        outcome<lease> lost;
        gone.async_lock("key", patiently(), lost.handler());
        BOOST_REQUIRE(all_queue(1));
        close(gone);
        BOOST_REQUIRE(run_until([&] { return lost.done(); }));
    }
    waiting.resize(1);
    clients[1].async_lock("key", patiently(), waiting[0].handler());
    BOOST_REQUIRE(all_queue(1));
    BOOST_TEST(!unlock(held));
    held = take_from(waiting[0]);
    BOOST_TEST(!unlock(held));
    nothing_is_left();
}

BOOST_AUTO_TEST_CASE(nodes_that_refuse_an_entry_for_one_key_keep_queues_for_others) {
    waiting.resize(2);
    lease held = lock_everywhere(clients[0]);
    clients[1].async_lock("key", patiently(), waiting[0].handler());
    BOOST_REQUIRE(all_queue(1));
    for (auto& node : nodes) {
        node.command({"DEL", "key"});
        node.command({"RPUSH", "key", "element"});
    }
    BOOST_REQUIRE(run_until([&] { return clients[1].metrics().undirected_waits == 1; }));
    for (auto& node : nodes)
        node.command({"DEL", "key", "key:redlock-queue"});
    held = take_from(waiting[0]);
    BOOST_TEST(clients[1].metrics().directed_handovers == 0u);
    BOOST_TEST(!unlock(held));
    BOOST_REQUIRE(becomes_free("key"));
    held = lock_everywhere(clients[0]);
    clients[1].async_lock("key", patiently(), waiting[1].handler());
    BOOST_TEST(all_queue(1));
    BOOST_TEST(!unlock(held));
    held = take_from(waiting[1]);
    BOOST_TEST(clients[1].metrics().directed_handovers == 1u);
    BOOST_TEST(!unlock(held));
    nothing_is_left();
}

// The rights are those of docs/guide/nodes.md.
BOOST_AUTO_TEST_CASE(a_user_needs_no_more_rights_than_the_guide_says) {
    const std::string rights =
        "~lock:* resetchannels &redlock:* &__keyspace@0__:lock:* -@all +set +get +del +pttl +pexpire +eval "
        "+evalsha +ping +info +hello +client|setname +subscribe +unsubscribe +publish +pubsub|numsub +time "
        "+zadd +zrem +zrank +zrange +zrangebyscore +zpopmin";
    lock_fixture f(3,
                   {.directives = {"user queues on >secret " + rights}, .password = {}, .persistent = false});
    config c = f.settings();
    c.key_prefix = "lock:";
    c.nodes.clear();
    for (auto& node : f.nodes)
        c.nodes.push_back(node.uri("queues", "secret"));
    client holder(f.context.get_executor(), c), waiter(f.context.get_executor(), c);
    BOOST_REQUIRE(f.becomes_ready(holder));
    BOOST_REQUIRE(f.becomes_ready(waiter));
    lease held = f.lock(holder, "key");
    outcome<lease> later;
    waiter.async_lock("key", patiently(), later.handler());
    BOOST_TEST(f.run_until([&] {
        return f.nodes[0].command({"ZCARD", "lock:key:redlock-queue"}).integer == 1;
    }));
    const error_code unlocked = f.unlock(held);
    BOOST_TEST(!unlocked, unlocked.message());
    BOOST_TEST(f.run_until([&] { return later.done(); }));
    BOOST_TEST(!later.error());
    BOOST_TEST(waiter.metrics().directed_handovers == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
