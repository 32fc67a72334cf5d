// Takes a lock with a fencing token, writes under it, loses some time, and writes once more without a look at
// its lease, for tests that say what it was: writer KEY TTL-IN-MS PAUSE-IN-MS NODE-URI... Says "write TOKEN"
// for each write and, right after the pause, "valid 0 stop 1" or the like. With PAUSE-IN-MS 0 it reads a line
// instead, with the milliseconds for which the machine is to be suspended.

#include "suspend.hpp"

#include <redlock/client.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <iostream>
#include <string>

namespace {

namespace asio = boost::asio;
using std::chrono::milliseconds;

asio::awaitable<void> write_twice(redlock::client& locks, std::string key, milliseconds ttl,
                                  milliseconds pause) {
    std::stop_source work;
    redlock::lock_options options;
    options.ttl = ttl;
    options.fencing = true;
    options.stop = &work;
    redlock::lease held = co_await locks.async_lock(key, options);
    std::cout << "write " << held.fencing_token().value() << std::endl;
    asio::steady_timer timer(co_await asio::this_coro::executor);
    bool valid = true;
    if (pause.count() > 0) {
        timer.expires_after(pause);
        co_await timer.async_wait(asio::use_awaitable);
        valid = held.valid();
    } else {
        std::string line;
        std::getline(std::cin, line);
        redlock::test::suspend(milliseconds(std::stoll(line)));
        valid = held.valid();
        timer.expires_after(milliseconds(1));
        co_await timer.async_wait(asio::use_awaitable);
    }
    std::cout << "valid " << valid << " stop " << work.stop_requested() << std::endl;
    std::cout << "write " << held.fencing_token().value() << std::endl;
}

} // namespace

int main(int count, char** arguments) {
    const std::string key = arguments[1];
    const milliseconds ttl(std::stoll(arguments[2]));
    const milliseconds pause(std::stoll(arguments[3]));
    redlock::config settings;
    settings.nodes.assign(arguments + 4, arguments + count);
    settings.node_timeout = std::chrono::seconds(3);
    asio::io_context context;
    redlock::client locks(context.get_executor(), settings);
    asio::co_spawn(context, write_twice(locks, key, ttl, pause), [&](std::exception_ptr) { context.stop(); });
    context.run();
}
