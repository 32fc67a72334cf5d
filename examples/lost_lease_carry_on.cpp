// A lease is lost while working, and the work carries on and is told: the policy for work that does no harm
// when it is done twice, such as rebuilding a cache. Stop or kill a majority of the nodes while the program
// works to see it.

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

namespace asio = boost::asio;
using namespace std::chrono_literals;

asio::awaitable<void> rebuild_cache() {
    asio::steady_timer step(co_await asio::this_coro::executor);
    for (int done = 0; done < 100; ++done) {
        step.expires_after(50ms);
        co_await step.async_wait(asio::deferred);
    }
}

asio::awaitable<void> rebuild_alone(redlock::client& locks) {
    auto lease = co_await locks.async_lock("cache", {.ttl = 2s, .wait = 2s});
    // Told the moment it happens; `operation_aborted` when the lease is unlocked without having been lost.
    lease.async_wait_lost([](boost::system::error_code ended) {
        if (!ended) std::cout << "lost the lease, carrying on" << std::endl;
    });
    std::cout << "working" << std::endl;
    co_await rebuild_cache();

    // Told at the end, too: this is the place to decide what a result is worth that was not made alone.
    auto [error] = co_await lease.async_unlock(asio::as_tuple(asio::deferred));
    if (error == redlock::errc::lease_lost)
        std::cout << "done, though perhaps not alone\n";
    else
        std::cout << "done, alone\n";
    co_await locks.async_close();
}

int main(int argc, char** argv) try {
    asio::io_context loop;
    redlock::client locks(loop.get_executor(), {.nodes = nodes_from(argc, argv)});
    asio::co_spawn(loop, rebuild_alone(locks), [](std::exception_ptr failure) {
        if (failure) std::rethrow_exception(failure);
    });
    loop.run();
} catch (const std::exception& e) {
    std::cerr << "lost_lease_carry_on: " << e.what() << '\n';
    return 1;
}
