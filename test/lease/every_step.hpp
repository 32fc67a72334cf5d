#pragma once

#include "interrupted_client.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <exception>
#include <memory>
#include <utility>

// What is common to the tests that interrupt an operation behind every handler that runs for it.

namespace redlock::test {

/// How an operation ended.
struct step_ending {
    int completions = 0;
    error_code error;
};

/// A handler that notes it and keeps it alive.
inline auto noting(std::shared_ptr<step_ending> end) {
    return [e = std::move(end)](error_code failure) {
        ++e->completions;
        e->error = failure;
    };
}

/// The same for what completes with a result, which it puts there: `result` is a member of `Ending`.
template <class Ending, class Result>
auto noting(std::shared_ptr<Ending> end, Result Ending::*result) {
    return [e = std::move(end), result](error_code failure, Result got) {
        ++e->completions;
        e->error = failure;
        (*e).*result = std::move(got);
    };
}

/// The same for what completes with an exception.
inline auto noting_exception(std::shared_ptr<step_ending> end) {
    return [note = noting(std::move(end))](std::exception_ptr failure) mutable {
        try {
            if (failure) std::rethrow_exception(failure);
            note({});
        } catch (const boost::system::system_error& error) {
            note(error.code());
        }
    };
}

/// Waits under what was granted until it is cancelled.
template <class Granted>
struct waiting_under {
    boost::asio::awaitable<void> operator()(Granted&) const {
        boost::asio::steady_timer timer(co_await boost::asio::this_coro::executor,
                                        boost::asio::steady_timer::time_point::max());
        co_await timer.async_wait(boost::asio::use_awaitable);
    }
};

/// Runs so many handlers, but none behind the end. False when there is no later point for an interruption.
inline bool run_steps(interrupted_client& c, const step_ending& end, int steps) {
    bool more = true;
    for (int i = 0; i < steps && more; ++i)
        more = c.step() && end.completions == 0;
    return more;
}

/// One completion; where the loop is gone, one at most, and then the handler is destroyed. False when there
/// is nothing more to be said of the ending.
template <class Ending>
bool expect_one_completion(const std::shared_ptr<Ending>& end, interruption how) {
    if (how == interruption::loop_gone) {
        BOOST_TEST(end->completions <= 1);
        BOOST_TEST((end->completions == 1 || end.use_count() == 1));
        return false;
    }
    BOOST_TEST(end->completions == 1);
    return true;
}

/// Whether an operation that was interrupted like that may end like this.
inline bool is_of(interruption how, error_code e) {
    const bool closed = ends_leases(how) && (e == errc::closed || e == errc::lease_lost);
    return closed || e == boost::asio::error::operation_aborted;
}

inline void expect_idle(const interrupted_client& c, interruption how) {
    BOOST_TEST(c.closed.completions() == (how == interruption::client_closed ? 1 : 0));
    BOOST_TEST(!c.closed.error());
    if (!c.locks) return;
    BOOST_TEST(c.locks->metrics().held == 0u);
    BOOST_TEST(c.locks->metrics().waiting == 0u);
}

/// Calls it with 0, 1, 2 and so on steps, while it says that there is a later point. Returns how many there
/// were.
template <class InterruptAfter>
int interrupt_everywhere(InterruptAfter&& interrupt_after, int most_steps) {
    int steps = 0;
    while (interrupt_after(steps) && steps < most_steps)
        ++steps;
    BOOST_TEST(steps < most_steps);
    return steps;
}

} // namespace redlock::test
