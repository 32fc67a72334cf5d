#include "critical.hpp"
#include "lease_fixture.hpp"
#include "support/eventually.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <atomic>
#include <deque>
#include <exception>
#include <thread>

namespace redlock::test {
namespace {

namespace asio = boost::asio;

/// Clients whose loop many threads run.
struct many_threads_fixture : lease_fixture {
    ~many_threads_fixture() {
        pool.stop();
        pool.join();
    }
    client make_shared() { return client(pool.get_executor(), settings()); }
    bool all_ended(int calls) {
        return eventually(6 * patience, [&] { return ended == calls; });
    }

    asio::thread_pool pool{3};
    std::atomic<int> failures{0}, ended{0};
};

asio::awaitable<void> hold_repeatedly(client& locks, critical& at, int rounds) {
    lock_options options = patiently();
    options.fencing = true;
    for (int i = 0; i < rounds; ++i) {
        lease held = co_await locks.async_lock("key", options, asio::use_awaitable);
        at.enter(held.fencing_token().value_or(0));
        at.leave();
        // The destructor gives every other one back.
        if (i % 2 == 0) co_await held.async_unlock(asio::use_awaitable);
    }
}

BOOST_FIXTURE_TEST_SUITE(many_threads_suite, many_threads_fixture)

BOOST_AUTO_TEST_CASE(callers_on_any_thread_take_turns) {
    const int callers = 6, rounds = hand ? 200 : 5; // others wait for a disk, perhaps
    critical at;
    client one = make_shared(), two = make_shared();
    for (int i = 0; i < callers; ++i)
        asio::co_spawn(pool, hold_repeatedly(i % 2 == 0 ? one : two, at, rounds), [&](std::exception_ptr e) {
            if (e) ++failures;
            ++ended;
        });
    BOOST_TEST(all_ended(callers));
    BOOST_TEST(failures == 0);
    BOOST_TEST(at.overlaps == 0);
    BOOST_TEST(at.entries == callers * rounds);
    BOOST_TEST(run_until([&] { return !is_held(); }));
}

BOOST_AUTO_TEST_CASE(keys_are_taken_and_given_back_on_any_thread) {
    const int callers = 4, calls = hand ? 200 : 20;
    client locks = make_shared();
    std::deque<std::thread> threads;
    for (int t = 0; t < callers; ++t)
        threads.emplace_back([&, t] {
            for (int i = 0; i < calls; ++i)
                locks.async_lock(std::to_string(t) + "." + std::to_string(i), once(),
                                 [&](error_code failure, lease held) {
                                     if (failure || !held.valid() || held.stop_token().stop_requested())
                                         ++failures;
                                     held.async_unlock([&](error_code e) {
                                         if (e) ++failures;
                                         ++ended;
                                     });
                                 });
        });
    for (std::thread& t : threads)
        t.join();
    BOOST_TEST(all_ended(callers * calls));
    BOOST_TEST(failures == 0);
    BOOST_TEST(locks.metrics().held == 0u);
}

BOOST_AUTO_TEST_CASE(whoever_waits_is_cancelled_from_another_thread) {
    const int calls = 100;
    client holder = make_client(), locks = make_shared();
    lease held = lock(holder);
    std::atomic<int> cancelled{0};
    std::deque<asio::cancellation_signal> signals(calls);
    for (auto& signal : signals) {
        auto handler = [&](error_code failure, lease) {
            if (failure == asio::error::operation_aborted) ++cancelled;
            ++ended;
        };
        locks.async_lock("key", patiently(), asio::bind_cancellation_slot(signal.slot(), handler));
    }
    for (auto& signal : signals)
        signal.emit(asio::cancellation_type::total);
    BOOST_TEST(all_ended(calls));
    BOOST_TEST(cancelled == calls);
    BOOST_TEST(!unlock(held));
    BOOST_TEST(run_until([&] { return !is_held() && waiting() == 0; }));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
