#include "support/loop_thread.hpp"

#include "support/eventually.hpp"
#include "support/system_error.hpp"

#include <boost/asio/post.hpp>

#include <cerrno>
#include <cstddef>
#include <memory>
#include <mutex>
#include <semaphore>
#include <set>
#include <stdexcept>
#include <unistd.h>

namespace redlock::test {

namespace {

struct running_loops {
    std::mutex mutex{};
    std::set<boost::asio::io_context*> loops{};
};

running_loops& running() {
    static running_loops all;
    return all;
}

// A handler that was posted may run when nobody waits for it any more.
struct standstill {
    std::counting_semaphore<> arrived{0}, over{0};
};

} // namespace

loop_thread::loop_thread(boost::asio::io_context& loop) : loop_(loop) {
    const std::lock_guard guard(running().mutex);
    running().loops.insert(&loop);
    thread_ = std::thread([&loop] { loop.run(); });
}

loop_thread::~loop_thread() {
    {
        const std::lock_guard guard(running().mutex);
        running().loops.erase(&loop_);
    }
    loop_.stop();
    thread_.join();
}

pid_t fork_between_handlers() {
    const std::lock_guard guard(running().mutex);
    const auto loops = static_cast<std::ptrdiff_t>(running().loops.size());
    const auto stand = std::make_shared<standstill>();
    for (boost::asio::io_context* const loop : running().loops)
        boost::asio::post(*loop, [stand] {
            stand->arrived.release();
            stand->over.acquire();
        });
    bool all = true;
    for (std::ptrdiff_t i = 0; i < loops && all; ++i)
        all = stand->arrived.try_acquire_for(patience);
    const pid_t child = all ? ::fork() : -1;
    const int failure = errno;
    stand->over.release(loops);
    if (!all) throw std::runtime_error("a loop has a handler that does not end");
    if (child < 0) {
        errno = failure;
        throw_errno("fork");
    }
    return child;
}

} // namespace redlock::test
