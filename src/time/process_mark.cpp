#include "time/process_mark.hpp"

#include <pthread.h>
#include <system_error>

namespace redlock::time {

constinit std::atomic<std::uint32_t> process_mark::forks{0};

// Between fork and whatever the child does first: nothing is allowed here that needs memory or a mutex.
void process_mark::count_fork() noexcept { forks.fetch_add(1, std::memory_order_relaxed); }

process_mark::process_mark() : made_after_(forks.load(std::memory_order_relaxed)) {
    static const int failure = ::pthread_atfork(nullptr, nullptr, [] { count_fork(); });
    if (failure != 0) throw std::system_error(failure, std::generic_category(), "pthread_atfork");
}

} // namespace redlock::time
