#include "counter_file.hpp"
#include "roles.hpp"
#include "say.hpp"

#include <redlock/redlock.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <exception>
#include <unistd.h>

namespace demo {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

class incrementer {
public:
    incrementer(const std::vector<std::string>& nodes, counter_file counter, std::size_t coroutines)
        : counter_(std::move(counter)),
          running_(coroutines),
          locks_(loop_.get_executor(), {.nodes = nodes}),
          parent_(loop_, ::dup(STDIN_FILENO)) {}

    void run() {
        const auto rethrow = [](std::exception_ptr failure) {
            if (failure) std::rethrow_exception(failure);
        };
        for (std::size_t i = 0; i < running_; ++i)
            asio::co_spawn(loop_, increment_again_and_again(), rethrow);
        // Nothing is ever sent here: the end of the input is the sign to finish.
        parent_.async_wait(asio::posix::stream_descriptor::wait_read, [this](auto) { finishing_ = true; });
        loop_.run();
        say("total {}", total_);
    }

private:
    asio::awaitable<void> increment_again_and_again() {
        asio::steady_timer pause(loop_);
        while (!finishing_) {
            boost::system::error_code refusal;
            try {
                co_await increment_once(pause);
            } catch (const boost::system::system_error& e) {
                refusal = e.code();
            }
            if (!refusal) continue;
            say("refused {}", refusal.message());
            pause.expires_after(50ms);
            co_await pause.async_wait(asio::deferred);
        }
        if (--running_ == 0) co_await locks_.async_close();
    }

    asio::awaitable<void> increment_once(asio::steady_timer& pause) {
        auto lease = co_await locks_.async_lock("demo:counter", {.ttl = 2s, .wait = 5s});
        const auto granted = nanoseconds_now();
        const auto number = counter_.read();
        // Without the lock everybody else would read the same number now.
        pause.expires_after(500us);
        co_await pause.async_wait(asio::deferred);
        if (lease.valid()) {
            counter_.write(number + 1);
            ++total_;
            say("grant {}", granted);
        }
        co_await lease.async_unlock();
    }

    counter_file counter_;
    std::size_t running_;
    std::uint64_t total_ = 0;
    bool finishing_ = false;
    asio::io_context loop_{1};
    redlock::client locks_;
    asio::posix::stream_descriptor parent_;
};

} // namespace

void increment(const std::vector<std::string>& nodes, const std::filesystem::path& counter,
               std::size_t coroutines) {
    incrementer(nodes, counter_file(counter), coroutines).run();
}

} // namespace demo
