#include "any_operation.hpp"
#include "stepping.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

namespace redlock::test {
namespace {

namespace data = boost::unit_test::data;
using asio::cancellation_type;

constexpr cancellation_type all_types[] = {cancellation_type::terminal, cancellation_type::partial,
                                           cancellation_type::total};

// More steps than any operation takes that ends by itself.
constexpr int most_steps_of_an_operation = 20;

struct any_operation_test_fixture : proxied_fixture {
    client locks{context.get_executor(), settings()};

    // Starts an operation and cancels it after `steps` handlers. False when it was complete before.
    bool cancel_after(int steps, operation what, cancellation_type type) {
        client used(context.get_executor(), settings());
        BOOST_REQUIRE(becomes_ready(used));
        lease held = lock(used, "held");
        asio::cancellation_signal cancel;
        const auto end = std::make_shared<ending>();
        start(what, used, held, end, cancel.slot());
        BOOST_TEST(end->completions == 0); // never from inside the call
        const bool in_time = run_steps(*this, steps, [&] { return end->completions > 0; });
        cancel.emit(type);
        BOOST_REQUIRE(run_until([&] { return end->completions > 0; }));
        expect_cancelled_or_decided(what, *end, steps == 0);
        if (what != operation::unlock && what != operation::close) BOOST_TEST(held.valid());
        end->granted = lease();
        BOOST_TEST(becomes_free("wanted"));
        held = lease();
        close(used);
        BOOST_TEST(nodes.holders("held") + nodes.holders("wanted") == 0u);
        BOOST_TEST(end->completions == 1);
        return in_time;
    }

    static void expect_cancelled_or_decided(operation what, const ending& end, bool at_once) {
        if (what == operation::close) {
            BOOST_TEST(!end.error); // not cancellable
        } else if (what == operation::check && !at_once && end.error == errc::lease_lost) {
            return; // the answer: nobody holds the key with that token
        } else if (at_once || end.error) {
            BOOST_TEST(end.error == asio::error::operation_aborted);
            BOOST_TEST(!end.granted);
        }
    }
};

BOOST_FIXTURE_TEST_SUITE(any_operation, any_operation_test_fixture)

BOOST_DATA_TEST_CASE_F(any_operation_test_fixture, an_operation_can_be_cancelled_at_every_point,
                       data::make(all_operations), what) {
    for (const auto type : all_types)
        cancel_after(0, what, type);
    int step = 1;
    while (step < most_steps_of_an_operation && cancel_after(step, what, all_types[step % 3]))
        ++step;
    BOOST_TEST_MESSAGE(what << ": cancelled at " << step << " points");
}

BOOST_DATA_TEST_CASE_F(any_operation_test_fixture, what_runs_under_a_lock_honours_every_type_of_cancellation,
                       data::make({0, 1, 2}), type) {
    asio::cancellation_signal cancel;
    const auto end = std::make_shared<ending>();
    lease none;
    start(operation::with_lock, locks, none, end, cancel.slot());
    BOOST_REQUIRE(run_until([&] { return locks.metrics().held == 1; }));
    while (context.poll() > 0) // until the body waits
        continue;
    cancel.emit(all_types[type]);
    BOOST_TEST(run_until([&] { return end->completions == 1; }));
    BOOST_TEST(end->error == asio::error::operation_aborted);
    BOOST_TEST(becomes_free("wanted"));
}

// One that is started by a coroutine that was cancelled before has not begun, and leaves everything as it
// was.
BOOST_DATA_TEST_CASE_F(any_operation_test_fixture, a_cancelled_coroutine_begins_nothing,
                       data::make(all_operations), what) {
    lease held = lock(locks, "held");
    asio::cancellation_signal cancel;
    error_code failure;
    auto operate = [&]() -> asio::awaitable<void> {
        cancel.emit(cancellation_type::terminal);
        try {
            co_await perform(what, locks, held);
        } catch (const boost::system::system_error& error) {
            failure = error.code();
        }
        co_await asio::this_coro::throw_if_cancelled(false); // or the end of the coroutine is never told
    };
    bool ended = false;
    auto end = [&](std::exception_ptr) { ended = true; };
    asio::co_spawn(context, operate, asio::bind_cancellation_slot(cancel.slot(), end));
    BOOST_TEST(run_until([&] { return ended; }));
    BOOST_TEST(failure == asio::error::operation_aborted);
    BOOST_TEST(held.valid());
    BOOST_TEST(locks.metrics().grants == 1u);
    BOOST_TEST(!unlock(held));
    BOOST_TEST(nodes.holders("wanted") == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
