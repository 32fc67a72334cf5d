// Calls of an owner that wait, or are under way when their client ends.

#include "owner_fixture.hpp"

#include <redlock/observer.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <deque>
#include <memory>
#include <string_view>
#include <utility>

namespace redlock::test {
namespace {

namespace asio = boost::asio;

struct waits_of_owners final : observer {
    void waiting(std::string_view) noexcept override { ++count; }
    unsigned count = 0;
};

BOOST_FIXTURE_TEST_SUITE(owner_waiting_suite, owner_fixture, *boost::unit_test::precondition(engine_in_hand))

BOOST_AUTO_TEST_CASE(calls_that_come_while_it_is_asked_for_enter_with_the_first) {
    hold(24h);
    std::deque<outcome<lease>> calls(3);
    for (auto& call : calls)
        locks.async_lock("key", mine(), call.handler());
    BOOST_REQUIRE(run_until([&] { return waiting() == 1; }));
    BOOST_TEST(locks.metrics().waiting == 3u);
    BOOST_TEST(try_lock(locks, "key", mine(once())) == errc::held);
    lose();
    for (auto& call : calls) {
        BOOST_REQUIRE(complete(call));
        BOOST_TEST(!call.error());
        BOOST_TEST(call.value().valid());
    }
    BOOST_TEST(locks.metrics().waiting == 0u);
    for (auto& call : calls)
        BOOST_TEST(!unlock(call.value()));
    BOOST_TEST(!is_held());
}

BOOST_AUTO_TEST_CASE(when_the_first_gives_up_the_next_asks) {
    hold(24h);
    asio::cancellation_signal cancel;
    outcome<lease> first, second, brief;
    locks.async_lock("key", mine(), asio::bind_cancellation_slot(cancel.slot(), first.handler()));
    locks.async_lock("key", mine(), second.handler());
    lock_options short_wait = mine();
    short_wait.wait = 60s;
    locks.async_lock("key", short_wait, brief.handler());
    BOOST_REQUIRE(run_until([&] { return waiting() == 1; }));
    cancel.emit(asio::cancellation_type::total);
    BOOST_REQUIRE(complete(first));
    BOOST_TEST(first.error() == asio::error::operation_aborted);
    BOOST_REQUIRE(run_until([&] { return waiting() == 1; }));
    pass(61s);
    BOOST_REQUIRE(complete(brief));
    BOOST_TEST(brief.error() == errc::wait_timeout);
    lose();
    BOOST_REQUIRE(complete(second));
    BOOST_TEST(!second.error());
    BOOST_TEST(locks.metrics().waiting == 0u);
}

BOOST_AUTO_TEST_CASE(what_it_waited_for_the_first_counts_when_it_asks_itself) {
    hold(24h);
    asio::cancellation_signal cancel;
    outcome<lease> first, second;
    locks.async_lock("key", mine(), asio::bind_cancellation_slot(cancel.slot(), first.handler()));
    lock_options short_wait = mine();
    short_wait.wait = 60s;
    locks.async_lock("key", short_wait, second.handler());
    BOOST_REQUIRE(run_until([&] { return waiting() == 1; }));
    pass(40s);
    cancel.emit(asio::cancellation_type::total);
    BOOST_REQUIRE(complete(first));
    BOOST_REQUIRE(run_until([&] { return waiting() == 1; }));
    pass(21s);
    BOOST_REQUIRE(complete(second));
    BOOST_TEST(second.error() == errc::wait_timeout);
}

BOOST_AUTO_TEST_CASE(who_waits_for_a_call_of_its_owner_and_then_for_others_is_observed_once) {
    const auto waits = std::make_shared<waits_of_owners>();
    config c = settings();
    c.observer = waits;
    client observed(context.get_executor(), c);
    hold(24h);
    asio::cancellation_signal cancel;
    outcome<lease> first, second;
    observed.async_lock("key", mine(), asio::bind_cancellation_slot(cancel.slot(), first.handler()));
    BOOST_REQUIRE(run_until([&] { return waits->count == 1; }));
    observed.async_lock("key", mine(), second.handler());
    BOOST_REQUIRE(run_until([&] { return waits->count == 2; }));
    cancel.emit(asio::cancellation_type::total);
    BOOST_REQUIRE(complete(first));
    BOOST_REQUIRE(run_until([&] { return waiting() == 1; }));
    lose();
    BOOST_REQUIRE(complete(second));
    BOOST_TEST(!second.error());
    BOOST_TEST(waits->count == 2u);
}

BOOST_AUTO_TEST_CASE(a_waiting_call_of_the_owner_can_be_cancelled) {
    hold(24h);
    asio::cancellation_signal cancel;
    outcome<lease> first, second;
    locks.async_lock("key", mine(), first.handler());
    locks.async_lock("key", mine(), asio::bind_cancellation_slot(cancel.slot(), second.handler()));
    BOOST_REQUIRE(run_until([&] { return waiting() == 1; }));
    cancel.emit(asio::cancellation_type::terminal);
    BOOST_REQUIRE(complete(second));
    BOOST_TEST(second.error() == asio::error::operation_aborted);
    lose();
    BOOST_REQUIRE(complete(first));
    BOOST_TEST(!unlock(first.value()));
    BOOST_TEST(!is_held());
}

BOOST_AUTO_TEST_CASE(a_closed_client_ends_all_of_it) {
    lease outer = lock(locks, "key", mine());
    lease inner = lock(locks, "key", mine());
    hold(24h, "elsewhere");
    std::deque<outcome<lease>> calls(3);
    for (auto& call : calls)
        locks.async_lock("elsewhere", mine(), call.handler());
    BOOST_REQUIRE(run_until([&] { return waiting("elsewhere") == 1; }));
    outcome<> lost;
    inner.async_wait_lost(lost.handler());
    close(locks);
    BOOST_TEST(lost.done());
    BOOST_TEST(lost.error() == errc::closed);
    BOOST_TEST(!outer.valid());
    BOOST_TEST(inner.stop_token().stop_requested());
    for (auto& call : calls) {
        BOOST_TEST(call.done());
        BOOST_TEST(call.error() == errc::closed);
    }
    BOOST_TEST(unlock(outer) == errc::closed);
    BOOST_TEST(unlock(inner) == errc::closed);
    BOOST_TEST(!is_held());
}

BOOST_AUTO_TEST_CASE(leases_outlive_their_loop) {
    lease outer, inner;
    {
        asio::io_context loop;
        client short_lived(loop.get_executor(), settings());
        outcome<lease> first, second, waiting_one;
        short_lived.async_lock("key", mine(), first.handler());
        short_lived.async_lock("key", mine(), second.handler());
        loop.poll();
        while (!second.done()) {
            loop.restart();
            loop.run_one();
        }
        outer = std::move(first.value());
        inner = std::move(second.value());
        hold(24h, "elsewhere");
        short_lived.async_lock("elsewhere", mine(), waiting_one.handler());
        short_lived.async_lock("elsewhere", mine(), first.handler());
        loop.restart();
        loop.poll();
    }
    outcome<> unlocked;
    outer.async_unlock(asio::bind_executor(context, unlocked.handler()));
    BOOST_REQUIRE(complete(unlocked));
    BOOST_TEST(unlocked.error() == errc::closed);
}

BOOST_AUTO_TEST_CASE(a_client_with_thousands_of_calls_of_an_owner_can_close) {
    hold(24h);
    std::deque<outcome<lease>> calls(20'000);
    for (auto& call : calls)
        locks.async_lock("key", mine(), call.handler());
    BOOST_REQUIRE(run_until([&] { return waiting() == 1; }));
    close(locks);
    for (auto& call : calls)
        BOOST_REQUIRE(call.error() == errc::closed);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
