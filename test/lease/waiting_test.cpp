#include "lease_fixture.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <deque>
#include <memory>

namespace redlock::test {
namespace {

namespace asio = boost::asio;

struct waiting_test_fixture : lease_fixture {
    /// A client that waits for the key, behind those that came before.
    struct waiter {
        explicit waiter(lease_fixture& f) : locks(std::make_unique<client>(f.make_client())) {
            const std::size_t before = f.waiting();
            locks->async_lock("key", patiently(), asio::bind_cancellation_slot(cancel.slot(), got.handler()));
            BOOST_REQUIRE(f.run_until([&] { return f.waiting() == before + 1; }));
        }
        std::unique_ptr<client> locks;
        asio::cancellation_signal cancel;
        outcome<lease> got;
    };

    void expect_served(waiter& w) {
        BOOST_REQUIRE(complete(w.got));
        BOOST_TEST(!w.got.error());
        BOOST_TEST(w.got.value().valid());
    }

    client first = make_client();
    lease held = lock(first);
};

BOOST_FIXTURE_TEST_SUITE(waiting_suite, waiting_test_fixture, *boost::unit_test::precondition(engine_in_hand))

BOOST_AUTO_TEST_CASE(who_comes_first_is_served_first) {
    std::deque<waiter> waiters;
    for (int i = 0; i < 5; ++i)
        waiters.emplace_back(*this);
    for (std::size_t i = 0; i < waiters.size(); ++i) {
        BOOST_TEST(!unlock(held));
        expect_served(waiters[i]);
        held = std::move(waiters[i].got.value());
        for (std::size_t later = i + 1; later < waiters.size(); ++later)
            BOOST_TEST(!waiters[later].got.done());
        BOOST_TEST(waiting() == waiters.size() - i - 1);
    }
    BOOST_TEST(!unlock(held));
    BOOST_TEST(!is_held());
}

BOOST_AUTO_TEST_CASE(a_late_comer_gets_behind_the_others) {
    waiter second(*this);
    client late = make_client();
    BOOST_TEST(try_lock(late) == errc::held);
    BOOST_TEST(!unlock(held));
    BOOST_TEST(try_lock(late) == errc::held);
    expect_served(second);
}

BOOST_AUTO_TEST_CASE(who_was_cancelled_is_passed_over) {
    waiter second(*this), third(*this);
    second.cancel.emit(asio::cancellation_type::total);
    BOOST_REQUIRE(complete(second.got));
    BOOST_TEST(second.got.error() == asio::error::operation_aborted);
    BOOST_TEST(waiting() == 1u);
    BOOST_TEST(second.locks->metrics().cancelled == 1u);
    BOOST_TEST(!unlock(held));
    expect_served(third);
}

BOOST_AUTO_TEST_CASE(a_client_that_is_destroyed_waits_no_more) {
    waiter second(*this), third(*this);
    second.locks.reset();
    BOOST_REQUIRE(complete(second.got));
    BOOST_TEST(second.got.error() == errc::closed);
    BOOST_TEST(waiting() == 1u);
    BOOST_TEST(!unlock(held));
    expect_served(third);
}

BOOST_AUTO_TEST_CASE(a_client_whose_loop_is_gone_waits_no_more) {
    auto loop = std::make_unique<asio::io_context>(1);
    client killed(loop->get_executor(), settings());
    outcome<lease> never;
    killed.async_lock("key", patiently(), never.handler());
    loop->poll();
    waiter third(*this);
    BOOST_TEST(waiting() == 2u);
    loop.reset();
    BOOST_TEST(waiting() == 1u);
    BOOST_TEST(!unlock(held));
    expect_served(third);
    BOOST_TEST(!never.done());
}

BOOST_AUTO_TEST_CASE(a_dead_holder_is_outwaited) {
    auto loop = std::make_unique<asio::io_context>(1);
    client killed(loop->get_executor(), settings());
    outcome<lease> got;
    killed.async_lock("other", patiently(), got.handler());
    loop->poll();
    BOOST_TEST(got.value().valid());
    loop.reset();
    outcome<lease> waits;
    first.async_lock("other", patiently(), waits.handler());
    pass(500s);
    BOOST_TEST(!waits.done());
    pass(100s);
    BOOST_TEST(waits.done());
    BOOST_TEST(!got.value().valid());
}

// Neither the one who was served as it was cancelled, nor anybody else, keeps the key.
BOOST_AUTO_TEST_CASE(who_is_cancelled_while_the_key_comes_passes_it_on) {
    asio::io_context loop(1);
    client slow(loop.get_executor(), settings());
    asio::cancellation_signal cancel;
    outcome<lease> got;
    slow.async_lock("key", patiently(), asio::bind_cancellation_slot(cancel.slot(), got.handler()));
    loop.poll();
    waiter third(*this);
    cancel.emit(asio::cancellation_type::terminal);
    BOOST_TEST(!unlock(held));
    BOOST_TEST(waiting() == 1u); // the key is on its way, behind the cancellation
    BOOST_TEST(!third.got.done());
    loop.restart();
    loop.poll();
    BOOST_REQUIRE(got.done());
    BOOST_TEST(got.error() == asio::error::operation_aborted);
    expect_served(third);
}

BOOST_AUTO_TEST_CASE(what_a_test_holds_is_waited_for) {
    hold(100s);
    BOOST_TEST(!held.valid());
    waiter second(*this);
    pass(50s);
    BOOST_TEST(!second.got.done());
    pass(51s);
    BOOST_TEST(second.got.done());
}

// Who waits had the end of the old hold in mind.
BOOST_AUTO_TEST_CASE(a_hold_that_is_made_shorter_ends_when_it_says) {
    hold(24h);
    waiter second(*this);
    hold(100s);
    pass(101s);
    BOOST_TEST(second.got.done());
}

BOOST_AUTO_TEST_CASE(an_extension_that_is_shorter_ends_when_it_says) {
    auto loop = std::make_unique<asio::io_context>(1);
    client killed(loop->get_executor(), settings());
    outcome<lease> got;
    killed.async_lock("other", patiently(), got.handler());
    loop->poll();
    outcome<lease> waits;
    first.async_lock("other", patiently(), waits.handler());
    settle();
    got.value().async_extend(60s, [](error_code) {});
    loop->restart();
    loop->poll();
    loop.reset(); // it died
    settle();
    pass(61s);
    BOOST_TEST(waits.done());
}

// The key was taken away again before its client could run.
BOOST_AUTO_TEST_CASE(a_key_that_is_lost_on_its_way_is_lost_by_whom_it_comes_to) {
    asio::io_context loop(1);
    client slow(loop.get_executor(), settings());
    outcome<lease> got;
    slow.async_lock("key", patiently(), got.handler());
    loop.poll();
    BOOST_TEST(!unlock(held));
    hold(100s);
    while (loop.poll() > 0)
        loop.restart();
    BOOST_REQUIRE(got.done());
    BOOST_TEST(!got.value().valid());
    BOOST_TEST(got.value().stop_token().stop_requested());
    BOOST_TEST(slow.metrics().lost_by_majority == 1u);
    BOOST_TEST(is_held());
}

// It ran out again before its client could run.
BOOST_AUTO_TEST_CASE(who_hears_of_its_key_too_late_goes_on_waiting) {
    asio::io_context loop(1);
    client slow(loop.get_executor(), settings());
    outcome<lease> got;
    slow.async_lock("key", patiently(), got.handler());
    loop.poll();
    BOOST_TEST(!unlock(held));
    BOOST_TEST(is_held());
    pass(601s);
    loop.restart();
    loop.poll();
    BOOST_REQUIRE(got.done());
    BOOST_TEST(!got.error());
    BOOST_TEST(got.value().valid());
    BOOST_TEST(slow.metrics().late_grants == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
