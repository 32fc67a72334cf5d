// Holds a key until it is killed, for tests that kill it, times in milliseconds:
// holder KEY TTL LOCK-DELAY NODE-TIMEOUT NODE-URI...
// Says "held" when it holds the key.

#include <redlock/client.hpp>

#include <boost/asio/io_context.hpp>

#include <iostream>
#include <string>

int main(int count, char** arguments) {
    const std::string key = arguments[1];
    redlock::config settings;
    settings.nodes.assign(arguments + 5, arguments + count);
    settings.node_timeout = std::chrono::milliseconds(std::stoll(arguments[4]));
    boost::asio::io_context context;
    redlock::client locks(context.get_executor(), settings);
    redlock::lease held;
    redlock::lock_options options;
    options.ttl = std::chrono::milliseconds(std::stoll(arguments[2]));
    options.lock_delay = std::chrono::milliseconds(std::stoll(arguments[3]));
    locks.async_lock(key, options, [&](boost::system::error_code failure, redlock::lease granted) {
        held = std::move(granted);
        std::cout << (failure ? failure.message() : "held") << std::endl;
    });
    context.run();
}
