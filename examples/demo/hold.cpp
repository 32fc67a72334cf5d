#include "roles.hpp"
#include "say.hpp"

#include <redlock/redlock.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <exception>
#include <stop_token>

namespace demo {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

std::int64_t milliseconds_left(const redlock::lease& lease) {
    return std::chrono::floor<std::chrono::milliseconds>(lease.remaining()).count();
}

asio::awaitable<void> hold_until_stopped(redlock::client& locks) {
    auto lease = co_await locks.async_lock("demo:report", {.ttl = 4s, .wait = 5s});
    asio::steady_timer pause(co_await asio::this_coro::executor);
    const auto stop = lease.stop_token();
    // The callback runs at the moment of the request: its times are those of the stop, not of the next look
    // at it.
    const std::stop_callback at_stop(
        stop, [&] { say("stopped {} {}", nanoseconds_now(), lease.valid() ? milliseconds_left(lease) : 0); });
    while (!stop.stop_requested()) {
        say("left {}", milliseconds_left(lease));
        pause.expires_after(100ms);
        co_await pause.async_wait(asio::deferred);
    }
    co_await lease.async_unlock(asio::as_tuple(asio::deferred));
    co_await locks.async_close();
}

} // namespace

void hold(const std::vector<std::string>& nodes) {
    asio::io_context loop(1);
    redlock::client locks(loop.get_executor(), {.nodes = nodes});
    asio::co_spawn(loop, hold_until_stopped(locks), [](std::exception_ptr failure) {
        if (failure) std::rethrow_exception(failure);
    });
    loop.run();
}

} // namespace demo
