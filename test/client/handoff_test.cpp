#include "lock_fixture.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/test/unit_test.hpp>

#include <vector>

namespace redlock::test {
namespace {

std::uint64_t commands_of(const client& locks) {
    std::uint64_t all = 0;
    for (const node_metrics& n : locks.metrics().nodes)
        all += n.commands;
    return all;
}

struct handoff_test_fixture : lock_fixture {
    static config with_limit(config c, unsigned limit) {
        c.handoff_limit = limit;
        return c;
    }

    /// A waiter that is surely in line.
    void begin(outcome<lease>& waiting, lock_options options = patiently()) {
        const auto before = locks.metrics().waiting;
        locks.async_lock("key", options, waiting.handler());
        BOOST_TEST(run_until([&] { return locks.metrics().waiting > before; }));
    }

    client locks{context.get_executor(), with_limit(settings(), 1'000'000)};
};

BOOST_FIXTURE_TEST_SUITE(handoff, handoff_test_fixture)

BOOST_AUTO_TEST_CASE(ten_thousand_callers_of_one_key_cost_the_nodes_two_commands_each_at_most_once) {
    constexpr int callers = 10'000;
    int inside = 0;
    int overlaps = 0;
    int grants = 0;
    lease first = lock(locks, "key");
    BOOST_REQUIRE(becomes_ready(locks));
    const auto before = commands_of(locks);
    auto hold = [&]() -> asio::awaitable<void> {
        lease held = co_await locks.async_lock("key", patiently(), asio::use_awaitable);
        overlaps += ++inside != 1 || !held.valid();
        co_await asio::post(context, asio::use_awaitable);
        --inside;
        ++grants;
        co_await held.async_unlock(asio::use_awaitable);
    };
    int ended = 0;
    for (int i = 0; i < callers; ++i)
        asio::co_spawn(context, hold(), [&](std::exception_ptr failure) {
            BOOST_CHECK(!failure);
            ++ended;
        });
    BOOST_TEST(run_until([&] { return locks.metrics().waiting == callers; }));
    BOOST_TEST(commands_of(locks) == before);
    BOOST_TEST(!unlock(first));
    BOOST_TEST(run_until([&] { return ended == callers; }));
    BOOST_TEST(overlaps == 0);
    BOOST_TEST(grants == callers);
    BOOST_TEST(locks.metrics().handoffs == callers);
    BOOST_TEST(locks.metrics().held == 0u);
    BOOST_TEST(becomes_free("key"));
    // The release of the last, and a renewal for whoever held it then, should the machine have been that
    // slow.
    BOOST_TEST(commands_of(locks) - before < 50u);
}

BOOST_AUTO_TEST_CASE(the_lease_goes_to_whoever_came_first) {
    lease held = lock(locks, "key");
    std::vector<outcome<lease>> waiting(5);
    for (auto& w : waiting)
        begin(w);
    for (auto& w : waiting) {
        BOOST_TEST(!unlock(held));
        BOOST_TEST(run_until([&] { return w.done(); }));
        BOOST_TEST(!w.error());
        held = std::move(w.value());
        BOOST_TEST(held.valid());
        BOOST_TEST(run_until([&] { return nodes.holders("key") == 5; }));
    }
}

BOOST_AUTO_TEST_CASE(a_caller_with_another_ttl_has_the_nodes_asked_first) {
    lease held = lock(locks, "key", {.ttl = 30s});
    BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == 5; }));
    const auto token = nodes[0].command({"GET", "key"}).text;
    outcome<lease> waiting;
    begin(waiting, {.ttl = 300s});
    BOOST_TEST(!unlock(held));
    BOOST_TEST(run_until([&] { return waiting.done(); }));
    BOOST_TEST(!waiting.error());
    BOOST_TEST((waiting.value().remaining() > 200s));
    BOOST_TEST(nodes[0].command({"GET", "key"}).text == token);
    BOOST_TEST(run_until([&] { return nodes[0].command({"PTTL", "key"}).integer > 200'000; }));
    BOOST_TEST(!unlock(waiting.value()));
    BOOST_TEST(becomes_free("key"));
}

BOOST_AUTO_TEST_CASE(a_lease_whose_keys_are_gone_is_not_handed_on_but_taken_anew) {
    lease held = lock(locks, "key", {.ttl = 30s});
    outcome<lease> waiting;
    begin(waiting, {.ttl = 300s});
    for (auto& node : nodes)
        node.command({"DEL", "key"});
    // Somebody else may have had it in between: the holder is told, and the waiter's lease is a new one.
    BOOST_TEST(!unlock(held));
    BOOST_TEST(run_until([&] { return waiting.done(); }));
    BOOST_TEST(!waiting.error());
    BOOST_TEST(waiting.value().valid());
    BOOST_TEST(run_until([&] { return nodes.holders("key") == 5; }));
}

BOOST_AUTO_TEST_CASE(each_keeps_its_own_end_of_waiting) {
    lease held = lock(locks, "key");
    outcome<lease> brief, cancelled, patient;
    begin(brief, {.ttl = long_ttl, .wait = 50ms});
    asio::cancellation_signal cancel;
    locks.async_lock("key", patiently(), asio::bind_cancellation_slot(cancel.slot(), cancelled.handler()));
    begin(patient);
    BOOST_TEST(run_until([&] { return brief.done(); }));
    BOOST_TEST(brief.error() == errc::wait_timeout);
    cancel.emit(asio::cancellation_type::terminal);
    BOOST_TEST(run_until([&] { return cancelled.done(); }));
    BOOST_TEST(cancelled.error() == asio::error::operation_aborted);
    BOOST_TEST(!patient.done());
    BOOST_TEST(!unlock(held));
    BOOST_TEST(run_until([&] { return patient.done(); }));
    BOOST_TEST(!patient.error());
}

BOOST_AUTO_TEST_CASE(a_lease_on_its_way_to_a_caller_that_gave_up_goes_to_the_next) {
    lease held = lock(locks, "key");
    outcome<lease> cancelled, patient;
    asio::cancellation_signal cancel;
    locks.async_lock("key", patiently(), asio::bind_cancellation_slot(cancel.slot(), cancelled.handler()));
    begin(patient);
    // Both before the strand runs again: the lease comes and the cancellation with it.
    outcome<> unlocked;
    held.async_unlock(unlocked.handler());
    cancel.emit(asio::cancellation_type::terminal);
    BOOST_TEST(run_until([&] { return cancelled.done() && (patient.done() || !cancelled.error()); }));
    if (!cancelled.error()) cancelled.value() = lease();
    BOOST_TEST(run_until([&] { return patient.done(); }));
    BOOST_TEST(!patient.error());
    BOOST_TEST(patient.value().valid());
    patient.value() = lease();
    BOOST_TEST(becomes_free("key"));
}

BOOST_AUTO_TEST_CASE(one_attempt_on_a_key_held_here_asks_no_node) {
    lease held = lock(locks, "key");
    BOOST_REQUIRE(becomes_ready(locks));
    const auto before = commands_of(locks);
    BOOST_TEST(try_lock(locks, "key") == errc::held);
    BOOST_TEST(commands_of(locks) == before);
}

BOOST_AUTO_TEST_CASE(the_next_contends_when_the_holder_lost_its_lease) {
    lease held = lock(locks, "key", {.ttl = 1s});
    outcome<lease> waiting;
    begin(waiting);
    for (auto& node : nodes)
        node.command({"DEL", "key"});
    BOOST_TEST(run_until([&] { return waiting.done(); }));
    BOOST_TEST(!waiting.error());
    BOOST_TEST(!held.valid());
    BOOST_TEST(waiting.value().valid());
}

BOOST_AUTO_TEST_CASE(two_clients_with_many_callers_each_both_get_the_key) {
    constexpr int enough = 30;
    client one(context.get_executor(), with_limit(settings(), 4));
    client two(context.get_executor(), with_limit(settings(), 4));
    int grants[2] = {};
    int inside = 0;
    int overlaps = 0;
    int running = 0;
    auto use = [&](client& mine, int& count) -> asio::awaitable<void> {
        while (grants[0] < enough || grants[1] < enough) {
            lease held = co_await mine.async_lock("key", patiently(), asio::use_awaitable);
            overlaps += ++inside != 1;
            asio::steady_timer pause(context, 1ms);
            co_await pause.async_wait(asio::use_awaitable);
            --inside;
            ++count;
            co_await held.async_unlock(asio::use_awaitable);
        }
    };
    for (int i = 0; i < 8; ++i, ++running)
        asio::co_spawn(context, use(i % 2 ? one : two, grants[i % 2]), [&](std::exception_ptr failure) {
            BOOST_CHECK(!failure);
            --running;
        });
    BOOST_TEST(run_until([&] { return running == 0; }));
    BOOST_TEST(overlaps == 0);
    BOOST_TEST(becomes_free("key"));
}

BOOST_AUTO_TEST_CASE(closing_ends_all_who_wait) {
    lease held = lock(locks, "key");
    std::vector<outcome<lease>> waiting(3);
    for (auto& w : waiting)
        begin(w);
    close(locks);
    for (auto& w : waiting)
        BOOST_TEST(w.error() == errc::closed);
    BOOST_TEST(becomes_free("key"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
