// Takes a lock inside a coroutine, works while it is held, and gives it back.

#include "nodes.hpp"

#include <redlock/redlock.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <chrono>
#include <exception>
#include <iostream>

namespace asio = boost::asio;
using namespace std::chrono_literals;

asio::awaitable<void> hello(redlock::client& locks) {
    auto lease = co_await locks.async_lock("hello", {.ttl = 5s, .wait = 2s});
    const auto left = std::chrono::floor<std::chrono::milliseconds>(lease.remaining());
    std::cout << "hello: " << lease.key() << " is ours, for " << left.count()
              << " ms and as long as it is renewed\n";
    co_await lease.async_unlock();
    std::cout << "hello: given back\n";
    co_await locks.async_close();
}

int main(int argc, char** argv) try {
    asio::io_context loop;
    redlock::client locks(loop.get_executor(), {.nodes = nodes_from(argc, argv)});
    asio::co_spawn(loop, hello(locks), [](std::exception_ptr failure) {
        if (failure) std::rethrow_exception(failure);
    });
    loop.run();
} catch (const std::exception& e) {
    std::cerr << "hello_lock: " << e.what() << '\n';
    return 1;
}
