// Two processes in one: each campaigns with its address, and an observer follows who leads. Whoever leads
// moves to another port meanwhile, and proclaims that. The first one resigns after a while, and the second
// takes over.

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
#include <stop_token>
#include <string>

namespace asio = boost::asio;
using namespace std::chrono_literals;

// Leads for a while, unless the lead is lost before, and resigns.
asio::awaitable<void> lead(redlock::client& locks, std::string host) {
    std::stop_source stop;
    std::string address = host + ":80";
    auto leads = co_await locks.async_campaign("scheduler", address, {.ttl = 5s, .stop = &stop});
    asio::steady_timer pause(co_await asio::this_coro::executor);
    for (int job = 1; job <= 10 && !stop.stop_requested(); ++job) {
        if (job == 6) {
            // In the same term: observers are told the new value in the place of the one before.
            address = host + ":81";
            co_await leads.async_proclaim(address);
        }
        // Whoever does the job compares the term with the highest it has seen.
        std::cout << address << " schedules job " << job << " of term " << leads.term() << std::endl;
        pause.expires_after(100ms);
        co_await pause.async_wait(asio::deferred);
    }
    co_await leads.async_unlock();
}

// Says who leads until two have done so, and nobody does any more.
asio::awaitable<void> follow(redlock::client& locks) {
    redlock::leader_mark known;
    int leaders = 0;
    for (;;) {
        const redlock::leader_info seen = co_await locks.async_observe("scheduler", known);
        leaders += seen.present && seen.mark.term > known.term;
        known = seen.mark;
        if (seen.present)
            std::cout << "observer: " << seen.value << " leads" << std::endl;
        else
            std::cout << "observer: nobody leads" << std::endl;
        if (!seen.present && leaders == 2) co_return;
    }
}

int main(int argc, char** argv) try {
    asio::io_context loop;
    const auto nodes = nodes_from(argc, argv);
    redlock::client one(loop.get_executor(), {.nodes = nodes});
    redlock::client two(loop.get_executor(), {.nodes = nodes});
    redlock::client observer(loop.get_executor(), {.nodes = nodes});
    int left = 3;
    const auto done = [&](std::exception_ptr failure) {
        if (failure) std::rethrow_exception(failure);
        if (--left > 0) return;
        for (redlock::client* const each : {&one, &two, &observer})
            each->async_close([](boost::system::error_code) {});
    };
    asio::co_spawn(loop, follow(observer), done);
    asio::co_spawn(loop, lead(one, "10.0.0.1"), done);
    asio::co_spawn(loop, lead(two, "10.0.0.2"), done);
    loop.run();
} catch (const std::exception& e) {
    std::cerr << "leader: " << e.what() << '\n';
    return 1;
}
