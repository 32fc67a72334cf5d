#include "client/lock_fixture.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <deque>
#include <future>
#include <thread>

namespace redlock::test {
namespace {

constexpr std::size_t thread_count = 4;

// Checks of Boost.Test are not thread-safe: threads count what goes wrong, and the test looks at the counts.
struct counts {
    std::atomic<int> inside{0};
    std::atomic<int> overlaps{0};
    std::atomic<int> holds{0};
    std::atomic<int> failures{0};
    std::atomic<int> ended{0};
};

asio::awaitable<void> hold_repeatedly(client& locks, counts& seen, int times) {
    for (int i = 0; i < times; ++i) {
        lease held = co_await locks.async_lock("key", {.ttl = 60s}, asio::use_awaitable);
        if (++seen.inside != 1 || !held.valid()) ++seen.overlaps;
        asio::steady_timer pause(co_await asio::this_coro::executor, 500us);
        co_await pause.async_wait(asio::use_awaitable);
        --seen.inside;
        ++seen.holds;
        // Every other one is left to the destructor.
        if (i % 2 == 0) co_await held.async_unlock(asio::use_awaitable);
    }
}

BOOST_FIXTURE_TEST_SUITE(threads, lock_fixture)

BOOST_AUTO_TEST_CASE(many_threads_run_the_loop) {
    constexpr int coroutines = 6;
    constexpr int times = 8;
    counts seen;
    asio::thread_pool pool(thread_count);
    {
        client one(pool.get_executor(), settings());
        client two(pool.get_executor(), settings());
        for (int i = 0; i < coroutines; ++i)
            asio::co_spawn(pool, hold_repeatedly(i % 2 == 0 ? one : two, seen, times),
                           [&](std::exception_ptr e) {
                               if (e) ++seen.failures;
                               ++seen.ended;
                           });
        BOOST_TEST(eventually(3 * patience, [&] { return seen.ended == coroutines; }));
    }
    pool.join();
    BOOST_TEST(seen.failures == 0);
    BOOST_TEST(seen.overlaps == 0);
    BOOST_TEST(seen.holds == coroutines * times);
    BOOST_TEST(becomes_free("key"));
}

BOOST_AUTO_TEST_CASE(members_are_called_from_any_thread) {
    asio::thread_pool pool(2);
    client locks(pool.get_executor(), settings());
    counts seen;
    std::vector<std::thread> callers;
    for (std::size_t t = 0; t < thread_count; ++t)
        callers.emplace_back([&, t] {
            for (int i = 0; i < 40; ++i) {
                const std::string key = "key" + std::to_string(t) + "." + std::to_string(i);
                locks.async_lock(key, once(), [&](error_code failure, lease held) {
                    if (failure || !held.valid() || held.remaining().count() <= 0) ++seen.failures;
                    if (held.stop_token().stop_requested()) ++seen.failures;
                    std::thread([released = std::move(held)] {}).join();
                    ++seen.ended;
                });
                if (locks.metrics().nodes.size() != 5) ++seen.failures;
            }
        });
    for (auto& caller : callers)
        caller.join();
    BOOST_TEST(eventually([&] { return seen.ended == 40 * static_cast<int>(thread_count); }));
    BOOST_TEST(seen.failures == 0);
    BOOST_TEST(eventually([&] { return locks.metrics().held == 0; }));
    std::promise<error_code> closed;
    locks.async_close([&](error_code failure) { closed.set_value(failure); });
    BOOST_TEST(!closed.get_future().get());
    for (auto& node : nodes)
        BOOST_TEST(node.key_count() == 0);
}

BOOST_AUTO_TEST_CASE(a_cancellation_is_emitted_from_another_thread) {
    asio::thread_pool pool(2);
    client locks(pool.get_executor(), settings());
    counts seen;
    constexpr int calls = 300;
    std::atomic<int> cancelled{0};
    std::deque<asio::cancellation_signal> signals(calls);
    for (int i = 0; i < calls; ++i) {
        auto& signal = signals[static_cast<std::size_t>(i)];
        auto handler = [&](error_code failure, lease held) {
            if (failure == asio::error::operation_aborted)
                ++cancelled;
            else if (failure || !held.valid())
                ++seen.failures;
            ++seen.ended;
        };
        locks.async_lock("key" + std::to_string(i), once(),
                         asio::bind_cancellation_slot(signal.slot(), handler));
        // Now at once, now after a while: before, during and after the acquire.
        for (int spin = 0; spin < (i % 10) * 20'000; ++spin)
            std::atomic_signal_fence(std::memory_order_seq_cst);
        signal.emit(asio::cancellation_type::total);
    }
    BOOST_TEST(eventually([&] { return seen.ended == calls; }));
    BOOST_TEST(seen.failures == 0);
    BOOST_TEST(cancelled > 0);
    BOOST_TEST_MESSAGE(cancelled << " of " << calls << " were cancelled in time");
    std::promise<error_code> closed;
    locks.async_close([&](error_code failure) { closed.set_value(failure); });
    BOOST_TEST(!closed.get_future().get());
    BOOST_TEST(seen.ended == calls);
    for (auto& node : nodes)
        BOOST_TEST(node.key_count() == 0);
}

BOOST_AUTO_TEST_CASE(a_stop_is_seen_in_another_thread) {
    asio::thread_pool pool(2);
    client locks(pool.get_executor(), settings());
    std::stop_source work;
    std::promise<lease> granted;
    lock_options options{.ttl = 1s, .renew = false, .stop = &work};
    locks.async_lock("key", options, [&](error_code, lease held) { granted.set_value(std::move(held)); });
    lease held = granted.get_future().get();
    bool seen_too_late = false;
    std::thread worker(
        [&] { seen_too_late = !eventually([&] { return work.stop_requested(); }) || !held.valid(); });
    worker.join();
    BOOST_TEST(!seen_too_late);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
