#pragma once

#include <redlock/config.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bench {

/// What the contenders lock with.
enum class locker : std::uint8_t {
    library,
    bare_sockets, ///< a loop that sends what the library sends, and knows who is next
    npm
};

/// Who contends for what, and for how long.
struct scenario {
    std::string name;
    locker by = locker::library;
    std::string contender = "asio-redlock"; ///< that in words, with its settings
    redlock::wakeup wakeup = redlock::wakeup::automatic;
    std::size_t processes = 2;
    std::size_t callers = 1; ///< in each process
    std::size_t keys = 1;    ///< the k-th is drawn as often as 1 / k (Zipf)
    std::chrono::microseconds hold{1000};
    bool computes = false; ///< while it holds the key, without a pause, instead of waiting
    std::chrono::milliseconds retry_delay{-1}; ///< of npm redlock; negative stands for its default
    std::chrono::milliseconds warm_up{300};
    std::chrono::milliseconds duration{3000};
};

/// One time that somebody had a key, in nanoseconds of CLOCK_MONOTONIC.
struct holding {
    std::int64_t asked = 0;
    std::int64_t granted = 0;
    std::int64_t released = 0; ///< when the release was called
    std::uint32_t key = 0;
    std::uint32_t process = 0;
};

/// What the contenders of one process used up, warm-up included.
struct expense {
    std::uint64_t grants = 0;
    std::uint64_t commands = 0;
    std::uint64_t refusals = 0;
    std::uint64_t split_votes = 0;
    std::uint64_t arbiter_tries = 0;
    std::uint64_t kept_votes = 0;
    std::uint64_t failures = 0; ///< calls that ended in an error
    double cpu_microseconds = 0;
};

/// All that happened.
struct course {
    std::vector<holding> holdings; ///< of the measured part, by the time of the grant
    std::vector<expense> expenses; ///< by process
};

} // namespace bench
