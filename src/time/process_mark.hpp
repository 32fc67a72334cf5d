#pragma once

#include <atomic>
#include <cstdint>

namespace redlock::time {

/// Remembers which process made it. A child that was forked has a copy of every object of its parent, and
/// shares with it what lies outside of memory: connections, timers. What has such things looks here before it
/// touches them.
class process_mark {
public:
    /// Throws std::system_error when the system cannot tell of forks.
    process_mark();

    /// Whether this process is a child that was forked since. Costs no system call. Thread-safe.
    bool is_of_parent() const noexcept { return made_after_ != forks.load(std::memory_order_relaxed); }

private:
    static void count_fork() noexcept;

    static std::atomic<std::uint32_t> forks; ///< that lead to this process
    std::uint32_t made_after_;
};

} // namespace redlock::time
