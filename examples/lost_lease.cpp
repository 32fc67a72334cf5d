// A lease is lost while working, and the work stops before anybody else can have the lock: the conservative
// policy. Stop or kill a majority of the nodes while the program works to see it.

#include "nodes.hpp"

#include <redlock/redlock.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <exception>
#include <iostream>
#include <stop_token>

namespace asio = boost::asio;
using namespace std::chrono_literals;

// Works in steps that are short against the stop margin, and looks between them whether to go on.
asio::awaitable<int> work_until(std::stop_token stop) {
    asio::steady_timer step(co_await asio::this_coro::executor);
    int steps = 0;
    for (; !stop.stop_requested() && steps < 1000; ++steps) {
        step.expires_after(20ms);
        co_await step.async_wait(asio::deferred);
    }
    co_return steps;
}

asio::awaitable<void> report(redlock::client& locks) {
    std::stop_source work;
    auto lease =
        co_await locks.async_lock("report", {.ttl = 4s, .wait = 2s, .stop_margin = 1s, .stop = &work});
    std::cout << "working" << std::endl;
    const int steps = co_await work_until(work.get_token());
    const auto left = std::chrono::floor<std::chrono::milliseconds>(lease.remaining());
    std::cout << "stopped after " << steps << " steps, " << left.count() << " ms before the lease was over"
              << std::endl;

    auto [error] = co_await lease.async_unlock(asio::as_tuple(asio::deferred));
    std::cout << (error == redlock::errc::lease_lost ? "the lease was lost" : "all done and given back")
              << '\n';
    co_await locks.async_close();
}

int main(int argc, char** argv) try {
    asio::io_context loop;
    redlock::client locks(loop.get_executor(), {.nodes = nodes_from(argc, argv)});
    asio::co_spawn(loop, report(locks), [](std::exception_ptr failure) {
        if (failure) std::rethrow_exception(failure);
    });
    loop.run();
} catch (const std::exception& e) {
    std::cerr << "lost_lease: " << e.what() << '\n';
    return 1;
}
