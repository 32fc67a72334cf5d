// A pool of four licences: of ten jobs four run at a time, each with a licence of its own.

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

namespace asio = boost::asio;
using namespace std::chrono_literals;

constexpr unsigned licences = 4;
constexpr int jobs = 10;

asio::awaitable<void> encode(redlock::client& locks, int job) {
    auto licence = co_await locks.async_lock("licence", {.ttl = 5s, .permits = licences});
    std::cout << "job " << job << " runs with licence " << licence.slot() << std::endl;
    asio::steady_timer work(co_await asio::this_coro::executor, 200ms);
    co_await work.async_wait(asio::deferred);
    std::cout << "job " << job << " is done" << std::endl;
    co_await licence.async_unlock();
}

int main(int argc, char** argv) try {
    asio::io_context loop;
    redlock::client locks(loop.get_executor(), {.nodes = nodes_from(argc, argv)});
    int left = jobs;
    for (int job = 1; job <= jobs; ++job)
        asio::co_spawn(loop, encode(locks, job), [&](std::exception_ptr failure) {
            if (failure) std::rethrow_exception(failure);
            if (--left == 0) locks.async_close([](boost::system::error_code) {});
        });
    loop.run();
} catch (const std::exception& e) {
    std::cerr << "licence_pool: " << e.what() << '\n';
    return 1;
}
