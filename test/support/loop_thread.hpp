#pragma once

#include <boost/asio/io_context.hpp>

#include <sys/types.h>
#include <thread>

namespace redlock::test {

/// A thread that runs a loop. Destroyed, it stops the loop and waits for the thread.
class loop_thread {
public:
    explicit loop_thread(boost::asio::io_context& loop);
    loop_thread(const loop_thread&) = delete;
    loop_thread& operator=(const loop_thread&) = delete;
    ~loop_thread();

private:
    boost::asio::io_context& loop_;
    std::thread thread_;
};

/// fork(2) while every `loop_thread` is between two handlers. The child has no other thread that could give
/// back a lock which it had: glibc frees that of its allocator for the child, AddressSanitizer of g++ 12 does
/// not. Not from a handler of such a loop. Throws `std::system_error`.
pid_t fork_between_handlers();

} // namespace redlock::test
