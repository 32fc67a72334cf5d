// Without coroutines: plain callbacks, and futures for code that may block.

#include "nodes.hpp"

#include <redlock/redlock.hpp>

#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_future.hpp>

#include <chrono>
#include <exception>
#include <future>
#include <iostream>
#include <utility>

namespace asio = boost::asio;
using boost::system::error_code;
using namespace std::chrono_literals;

// The callbacks run on the client's executor, here the pool's thread. The promise stands for whatever goes on
// then.
void lock_with_callbacks(redlock::client& locks, std::promise<error_code>& done) {
    locks.async_lock("stock", {.ttl = 5s, .wait = 2s}, [&done](error_code error, redlock::lease lease) {
        if (error) return done.set_value(error);
        std::cout << "callback: " << lease.key() << " is ours\n";
        // The unlock goes on although `lease` is destroyed when this callback returns.
        lease.async_unlock([&done](error_code unlock_error) {
            std::cout << "callback: " << (unlock_error ? unlock_error.message() : "given back") << '\n';
            done.set_value(unlock_error);
        });
    });
}

// Never on a thread that runs the client's executor: `get` would wait for itself.
void lock_with_futures(redlock::client& locks) {
    redlock::lease lease = locks.async_lock("stock", {.ttl = 5s, .wait = 2s}, asio::use_future).get();
    std::cout << "future: " << lease.key() << " is ours\n";
    // With a function the future gives what that returns; without one an error comes as an exception.
    const auto outcome = asio::use_future([](error_code error, redlock::lease) { return error; });
    if (const error_code error = locks.async_try_lock("stock", {.ttl = 5s}, outcome).get())
        std::cout << "future: refused while it is ours: " << error.message() << '\n';
    lease.async_unlock(asio::use_future).get();
    std::cout << "future: given back\n";
}

int main(int argc, char** argv) try {
    asio::thread_pool pool(1); // a thread of its own: renewal goes on whatever this thread does
    redlock::client locks(pool.get_executor(), {.nodes = nodes_from(argc, argv)});
    std::promise<error_code> done;
    lock_with_callbacks(locks, done);
    if (const auto error = done.get_future().get()) throw boost::system::system_error(error);
    lock_with_futures(locks);
    locks.async_close(asio::use_future).get();
    pool.join();
} catch (const std::exception& e) {
    std::cerr << "callbacks: " << e.what() << '\n';
    return 1;
}
