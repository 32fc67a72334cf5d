#include "distance/journey.hpp"

#include "event_loop.hpp"

#include <redlock/redlock.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <utility>

namespace bench {

namespace {

namespace asio = boost::asio;
using clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto longest_run = 120s;

/// Runs it to its end; what it throws is thrown here.
void run(asio::io_context& loop, asio::awaitable<void> task) {
    std::exception_ptr failure;
    asio::co_spawn(loop, std::move(task), [&](std::exception_ptr e) { failure = e; });
    run_to_end(loop, longest_run);
    if (failure) std::rethrow_exception(failure);
}

/// All nodes are known, and how they tell of changes: nothing else is under way then.
asio::awaitable<void> settle(redlock::client& locks, std::size_t needed) {
    asio::steady_timer pause(co_await asio::this_coro::executor);
    const auto end = clock::now() + 10s;
    for (;;) {
        const auto nodes = locks.metrics().nodes;
        const auto ready = std::ranges::count_if(nodes, [](const redlock::node_metrics& n) {
            return n.state == "ready" && n.wakeup != redlock::wakeup::automatic;
        });
        if (static_cast<std::size_t>(ready) >= needed || clock::now() > end) co_return;
        pause.expires_after(20ms);
        co_await pause.async_wait(asio::use_awaitable);
    }
}

asio::awaitable<void> lock_one_by_one(redlock::client& locks, unsigned times, journey& to) {
    co_await settle(locks, 3);
    for (unsigned i = 0; i < times; ++i) {
        const std::string key = fmt::format("alone:{}", i);
        const auto begin = clock::now();
        auto lease = co_await locks.async_lock(key, {.wait = 2s}, asio::use_awaitable);
        to.locks.push_back(clock::now() - begin);
        co_await lease.async_unlock(asio::use_awaitable);
        to.pairs.push_back(clock::now() - begin);
    }
    co_await locks.async_close(asio::use_awaitable);
}

/// Each waits for the other to give the key back.
asio::awaitable<void> take_turns(redlock::client& mine, clock::time_point& given_back, unsigned times,
                                 std::vector<nanoseconds>& handoffs) {
    for (unsigned i = 0; i < times; ++i) {
        auto lease = co_await mine.async_lock("handed", {}, asio::use_awaitable);
        if (given_back != clock::time_point()) handoffs.push_back(clock::now() - given_back);
        // Until the other stands and waits.
        asio::steady_timer pause(co_await asio::this_coro::executor, 200ms);
        co_await pause.async_wait(asio::use_awaitable);
        given_back = clock::now();
        co_await lease.async_unlock(asio::use_awaitable);
    }
    given_back = {};
}

asio::awaitable<void> cycle(redlock::client& locks, std::string key, clock::time_point end, std::size_t& done,
                            std::size_t& failures) {
    while (clock::now() < end) {
        auto [failure, lease] =
            co_await locks.async_lock(key, {.renew = false}, asio::as_tuple(asio::use_awaitable));
        if (!failure) std::tie(failure) = co_await lease.async_unlock(asio::as_tuple(asio::use_awaitable));
        ++(failure ? failures : done);
    }
}

} // namespace

void traveller::lock_alone(journey& to) const {
    asio::io_context loop;
    redlock::client locks(loop.get_executor(), {.nodes = nodes});
    run(loop, lock_one_by_one(locks, times, to));
}

void traveller::hand_over(journey& to) const {
    asio::io_context loop;
    redlock::client first(loop.get_executor(), {.nodes = nodes});
    redlock::client second(loop.get_executor(), {.nodes = nodes});
    clock::time_point given_back{};
    int running = 2;
    const unsigned turns = std::max(4u, times / 10);
    const auto play = [&](redlock::client& mine) -> asio::awaitable<void> {
        co_await settle(mine, 3);
        co_await take_turns(mine, given_back, turns, to.handoffs);
        if (--running > 0) co_return;
        co_await first.async_close(asio::use_awaitable);
        co_await second.async_close(asio::use_awaitable);
    };
    std::exception_ptr failure;
    const auto ended = [&](std::exception_ptr e) {
        if (!e) return;
        failure = e;
        loop.stop();
    };
    asio::co_spawn(loop, play(first), ended);
    asio::co_spawn(loop, play(second), ended);
    try {
        run_to_end(loop, longest_run);
    } catch (...) {
        if (!failure) throw;
    }
    if (failure) std::rethrow_exception(failure);
}

void traveller::load(journey& to) const {
    constexpr std::size_t in_flight = 1024;
    asio::io_context loop;
    redlock::client locks(loop.get_executor(), {.nodes = nodes});
    std::size_t done = 0;
    std::size_t running = in_flight;
    const auto all = [&]() -> asio::awaitable<void> {
        co_await settle(locks, 3);
        const auto begin = clock::now();
        const auto end = begin + load_time;
        for (std::size_t i = 0; i < in_flight; ++i)
            asio::co_spawn(loop, cycle(locks, fmt::format("load:{}", i), end, done, to.failures),
                           [&, begin](std::exception_ptr) {
                               if (--running > 0) return;
                               const std::chrono::duration<double> took = clock::now() - begin;
                               to.cycles_a_second = static_cast<double>(done) / took.count();
                               locks.async_close([](const boost::system::error_code&) {});
                           });
    };
    run(loop, all());
}

void traveller::hold(journey& to, std::size_t leases, std::chrono::milliseconds time) const {
    asio::io_context loop;
    redlock::client locks(loop.get_executor(), {.nodes = nodes});
    const auto all = [&]() -> asio::awaitable<void> {
        co_await settle(locks, 3);
        std::vector<redlock::lease> held;
        for (std::size_t i = 0; i < leases; ++i) {
            auto [failure, lease] = co_await locks.async_lock(fmt::format("held:{}", i), {.ttl = 10s},
                                                              asio::as_tuple(asio::use_awaitable));
            if (!failure) held.push_back(std::move(lease));
        }
        asio::steady_timer pause(co_await asio::this_coro::executor, time);
        co_await pause.async_wait(asio::use_awaitable);
        to.held = held.size();
        to.lost = static_cast<std::size_t>(
            std::ranges::count_if(held, [](const redlock::lease& l) { return !l.valid(); }));
        held.clear();
        co_await locks.async_close(asio::use_awaitable);
    };
    run(loop, all());
}

} // namespace bench
