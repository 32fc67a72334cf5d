// Many that want an entry of a cache which is not there: one of them makes it, and the others wait for that.

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
#include <optional>
#include <string>

namespace asio = boost::asio;
using namespace std::chrono_literals;

std::optional<std::string> cache; // in a real program, something that hosts share

asio::awaitable<std::optional<std::string>> look(redlock::client& locks) {
    auto reading = co_await locks.async_lock("catalogue", {.ttl = 5s, .mode = redlock::mode::read});
    const std::optional<std::string> found = cache;
    co_await reading.async_unlock();
    co_return found;
}

asio::awaitable<std::string> fill(redlock::client& locks) {
    auto writing = co_await locks.async_lock("catalogue", {.ttl = 5s, .mode = redlock::mode::write});
    if (!cache) { // nobody was faster
        std::cout << "making the catalogue" << std::endl;
        asio::steady_timer work(co_await asio::this_coro::executor, 100ms);
        co_await work.async_wait(asio::deferred);
        cache = "the catalogue";
    }
    const std::string made = *cache;
    co_await writing.async_unlock();
    co_return made;
}

asio::awaitable<void> visit(redlock::client& locks, int visitor) {
    std::optional<std::string> page = co_await look(locks);
    if (!page) page = co_await fill(locks);
    std::cout << "visitor " << visitor << " reads " << *page << std::endl;
}

int main(int argc, char** argv) try {
    asio::io_context loop;
    redlock::client locks(loop.get_executor(), {.nodes = nodes_from(argc, argv)});
    int left = 8;
    for (int visitor = 1; visitor <= 8; ++visitor)
        asio::co_spawn(loop, visit(locks, visitor), [&](std::exception_ptr failure) {
            if (failure) std::rethrow_exception(failure);
            if (--left == 0) locks.async_close([](boost::system::error_code) {});
        });
    loop.run();
} catch (const std::exception& e) {
    std::cerr << "cache_stampede: " << e.what() << '\n';
    return 1;
}
