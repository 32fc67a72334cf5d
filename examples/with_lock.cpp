// Runs a function under a lock: it is released on every way out, also when the function throws.

#include "nodes.hpp"

#include <redlock/redlock.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>

namespace asio = boost::asio;
using namespace std::chrono_literals;

asio::awaitable<int> charge(const std::string& order, int amount) {
    if (amount > 100) throw std::runtime_error("the card does not cover " + std::to_string(amount));
    asio::steady_timer bank(co_await asio::this_coro::executor, 20ms);
    co_await bank.async_wait(asio::deferred);
    std::cout << order << ": charged " << amount << '\n';
    co_return amount + 1000; // the number of the receipt
}

// Should the lease be lost, the timer in `charge` is cancelled and this throws `errc::lease_lost`.
asio::awaitable<int> charge_once(redlock::client& locks, std::string order, int amount) {
    auto body = [&](redlock::lease&) { return charge(order, amount); };
    co_return co_await locks.async_with_lock("order:" + order, {.ttl = 5s, .wait = 2s}, body);
}

asio::awaitable<void> shop(redlock::client& locks) {
    try {
        co_await charge_once(locks, "apples", 5000);
    } catch (const std::runtime_error& e) {
        std::cout << "apples: " << e.what() << '\n';
    }
    const int receipt = co_await charge_once(locks, "apples", 50);
    std::cout << "apples: receipt " << receipt << '\n';
    co_await locks.async_close();
}

int main(int argc, char** argv) try {
    asio::io_context loop;
    redlock::client locks(loop.get_executor(), {.nodes = nodes_from(argc, argv)});
    asio::co_spawn(loop, shop(locks), [](std::exception_ptr failure) {
        if (failure) std::rethrow_exception(failure);
    });
    loop.run();
} catch (const std::exception& e) {
    std::cerr << "with_lock: " << e.what() << '\n';
    return 1;
}
