#include <redlock/redlock.hpp>

#include <boost/asio/io_context.hpp>

#include <cstdio>
#include <string>

/// Uses headers and library together: their versions agree, and a lock on a node that is not there is
/// refused.
int main() {
    const std::string headers = std::to_string(REDLOCK_VERSION_MAJOR) + "." +
                                std::to_string(REDLOCK_VERSION_MINOR) + "." +
                                std::to_string(REDLOCK_VERSION_PATCH);
    if (headers != redlock::version()) {
        std::fprintf(stderr, "headers of %s, library of %s\n", headers.c_str(), redlock::version());
        return 1;
    }

    boost::asio::io_context io;
    redlock::config where;
    where.nodes = {"unix:///nonexistent/redis.socket"};
    redlock::client locks(io.get_executor(), where);

    boost::system::error_code outcome;
    locks.async_try_lock("key", {}, [&](boost::system::error_code failure, redlock::lease) {
        outcome = failure;
        locks.async_close([](boost::system::error_code) {});
    });
    io.run();
    if (outcome != redlock::errc::no_quorum) {
        std::fprintf(stderr, "expected no_quorum, got: %s\n", outcome.message().c_str());
        return 1;
    }
    return 0;
}
