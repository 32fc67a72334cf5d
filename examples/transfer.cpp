// Transfers between accounts: each holds the locks of both, in whatever order it names them, and none waits
// for ever.

#include "nodes.hpp"

#include <redlock/redlock.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <array>
#include <chrono>
#include <exception>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

namespace asio = boost::asio;
using namespace std::chrono_literals;

std::array<int, 3> balance{100, 100, 100};

std::string lock_of(std::size_t account) { return "account:" + std::to_string(account); }

asio::awaitable<void> transfer(redlock::client& locks, std::size_t from, std::size_t to, int amount) {
    const std::vector<std::string> both{lock_of(from), lock_of(to)};
    auto held = co_await locks.async_lock_all(both, {.ttl = 5s});
    const int before = balance[from];
    asio::steady_timer bank(co_await asio::this_coro::executor, 5ms);
    co_await bank.async_wait(asio::deferred);
    if (!held.valid()) throw std::runtime_error("a lock was lost");
    balance[from] = before - amount; // nobody else has changed it meanwhile
    balance[to] += amount;
    std::cout << amount << " from " << from << " to " << to << std::endl;
    co_await held.async_unlock();
}

int main(int argc, char** argv) try {
    asio::io_context loop;
    redlock::client locks(loop.get_executor(), {.nodes = nodes_from(argc, argv)});
    constexpr std::array<std::array<std::size_t, 2>, 6> pairs{
        {{0, 1}, {1, 0}, {1, 2}, {2, 1}, {2, 0}, {0, 2}}};
    std::size_t left = pairs.size();
    int amount = 10;
    for (const auto& [from, to] : pairs)
        asio::co_spawn(loop, transfer(locks, from, to, amount++), [&](std::exception_ptr failure) {
            if (failure) std::rethrow_exception(failure);
            if (--left == 0) locks.async_close([](boost::system::error_code) {});
        });
    loop.run();
    std::cout << "altogether " << std::accumulate(balance.begin(), balance.end(), 0) << std::endl;
} catch (const std::exception& e) {
    std::cerr << "transfer: " << e.what() << '\n';
    return 1;
}
