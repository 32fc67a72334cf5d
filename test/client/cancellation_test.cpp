#include "stepping.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

namespace redlock::test {
namespace {

namespace data = boost::unit_test::data;
using asio::cancellation_type;

// More steps than any acquire takes until it is granted or waits for time to pass.
constexpr int most_steps = 60;

struct cancellation_test_fixture : proxied_fixture {
    config settings() {
        config c = proxied_fixture::settings();
        c.node_timeout = 500ms;
        return c;
    }

    // Cancels an acquire after `steps` handlers. False when it was complete before.
    bool cancel_after(int steps, scene s, cancellation_type type) {
        const std::string key = "key" + std::to_string(steps);
        client locks(context.get_executor(), settings());
        if (s != scene::connecting) BOOST_REQUIRE(becomes_ready(locks));
        arrange(*this, s, key);
        outcome<lease> tried;
        asio::cancellation_signal cancel;
        locks.async_lock(key, patiently(), asio::bind_cancellation_slot(cancel.slot(), tried.handler()));
        const bool in_time = run_steps(*this, steps, [&] { return tried.done(); });
        cancel.emit(type);
        BOOST_REQUIRE(run_until([&] { return tried.done(); }));
        if (steps == 0) BOOST_TEST(tried.error() == asio::error::operation_aborted);
        if (in_time) expect_cancelled_or_decided(tried, s);
        tried.drop_values();
        for (auto& proxy : proxies)
            proxy.thaw();
        BOOST_TEST(run_until([&] { return nothing_of_ours(*this, key); }));
        close(locks);
        BOOST_TEST(nothing_of_ours(*this, key));
        BOOST_TEST(tried.completions() == 1);
        for (auto& node : nodes)
            node.command({"FLUSHALL"});
        return in_time;
    }

    // A cancellation can come when the result is on its way already; then that result stands.
    static void expect_cancelled_or_decided(outcome<lease>& tried, scene s) {
        if (!tried.error()) {
            BOOST_TEST(tried.value().valid());
            return;
        }
        BOOST_TEST(!tried.value());
        if (s == scene::no_quorum && tried.error() == errc::no_quorum) return;
        BOOST_TEST(tried.error() == asio::error::operation_aborted);
    }
};

BOOST_FIXTURE_TEST_SUITE(cancellation, cancellation_test_fixture)

BOOST_DATA_TEST_CASE_F(cancellation_test_fixture, an_acquire_can_be_cancelled_at_every_point,
                       data::make(all_scenes), s) {
    constexpr cancellation_type types[] = {cancellation_type::terminal, cancellation_type::partial,
                                           cancellation_type::total};
    int step = 0;
    while (step < most_steps && cancel_after(step, s, types[step % 3]))
        ++step;
    // Before the first handler it is certainly in time.
    BOOST_TEST(step > 0);
    BOOST_TEST_MESSAGE(s << ": cancelled at " << step << " points");
}

BOOST_AUTO_TEST_CASE(a_cancelled_wait_ends_at_once) {
    client holder(context.get_executor(), settings());
    client waiter(context.get_executor(), settings());
    lease held = lock(holder, "key");
    BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == 5; }));
    const std::string token = nodes[0].get("key").value();
    outcome<lease> waiting;
    asio::cancellation_signal cancel;
    waiter.async_lock("key", patiently(), asio::bind_cancellation_slot(cancel.slot(), waiting.handler()));
    BOOST_TEST(!run_until(300ms, [&] { return waiting.done(); }));
    cancel.emit(cancellation_type::terminal);
    BOOST_TEST(run_until([&] { return waiting.done(); }));
    BOOST_TEST(waiting.error() == asio::error::operation_aborted);
    BOOST_TEST(waiter.metrics().waiting == 0u);
    BOOST_TEST(held.valid());
    for (auto& node : nodes)
        BOOST_TEST(node.get("key").value_or("none") == token);
}

BOOST_AUTO_TEST_CASE(a_call_that_waits_for_its_turn_can_be_cancelled) {
    config c = settings();
    c.max_inflight = 1;
    client locks(context.get_executor(), c);
    BOOST_REQUIRE(becomes_ready(locks));
    for (auto& proxy : proxies)
        proxy.freeze();
    outcome<lease> first;
    outcome<lease> second;
    asio::cancellation_signal cancel;
    locks.async_lock("first", once(), first.handler());
    locks.async_lock("second", once(), asio::bind_cancellation_slot(cancel.slot(), second.handler()));
    BOOST_REQUIRE(run_until([&] { return locks.metrics().queued == 1; }));
    cancel.emit(cancellation_type::total);
    BOOST_TEST(run_until([&] { return second.done(); }));
    BOOST_TEST(second.error() == asio::error::operation_aborted);
    for (auto& proxy : proxies)
        proxy.thaw();
    BOOST_TEST(run_until([&] { return first.done(); }));
    BOOST_TEST(!try_lock(locks, "third"));
    BOOST_TEST(nodes.holders("second") == 0u);
}

BOOST_AUTO_TEST_CASE(a_cancelled_unlock_goes_on_in_the_background) {
    client locks(context.get_executor(), settings());
    for (int steps = 0; steps < 12; ++steps) {
        lease held = lock(locks, "key");
        outcome<> unlocked;
        asio::cancellation_signal cancel;
        held.async_unlock(asio::bind_cancellation_slot(cancel.slot(), unlocked.handler()));
        const bool in_time = run_steps(*this, steps, [&] { return unlocked.done(); });
        cancel.emit(cancellation_type::total);
        BOOST_REQUIRE(run_until([&] { return unlocked.done(); }));
        if (steps == 0) BOOST_TEST(unlocked.error() == asio::error::operation_aborted);
        if (!in_time) BOOST_TEST(!unlocked.error());
        BOOST_TEST(!held.valid());
        BOOST_TEST(becomes_free("key"));
        BOOST_TEST(unlocked.completions() == 1);
    }
}

BOOST_AUTO_TEST_CASE(a_cancelled_wait_for_the_loss_keeps_the_lease) {
    client locks(context.get_executor(), settings());
    lease held = lock(locks, "key");
    outcome<> lost;
    asio::cancellation_signal cancel;
    held.async_wait_lost(asio::bind_cancellation_slot(cancel.slot(), lost.handler()));
    BOOST_TEST(!run_until(20ms, [&] { return lost.done(); }));
    cancel.emit(cancellation_type::partial);
    BOOST_TEST(run_until([&] { return lost.done(); }));
    BOOST_TEST(lost.error() == asio::error::operation_aborted);
    BOOST_TEST(held.valid());
    BOOST_TEST(!unlock(held));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
