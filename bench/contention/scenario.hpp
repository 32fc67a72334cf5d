#pragma once

#include <redlock/config.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace bench {

/// All processes and all nodes share one small machine here.
inline constexpr std::chrono::milliseconds node_timeout{200};

/// What the contenders lock with.
enum class locker : std::uint8_t {
    library,
    bare_sockets, ///< a loop that sends what the library sends, and knows who is next
    npm
};

/// What happens to one of the processes in the middle, at a moment when it waits.
enum class fault : std::uint8_t {
    none,
    kill, ///< SIGKILL
    stop  ///< SIGSTOP, and SIGCONT a third of the time later
};

/// Who contends for what, and for how long.
struct scenario {
    std::string name;
    locker by = locker::library;
    std::string contender = "asio-redlock"; ///< that in words, with its settings
    redlock::wakeup wakeup = redlock::wakeup::automatic;
    std::size_t processes = 2;
    std::size_t callers = 1; ///< in each process
    std::size_t npm = 0;     ///< so many processes with npm redlock among them, with a caller each
    std::size_t keys = 1;    ///< the k-th is drawn as often as 1 / k (Zipf)
    std::chrono::microseconds hold{1000};
    bool computes = false;     ///< while it holds the key, without a pause, instead of waiting
    std::string with{};        ///< what is out of the ordinary, in words
    bool late = false;         ///< the processes begin one after the other, over the first half of the time
    double reads = -1;         ///< the part of the calls that reads, the others write; negative: neither
    unsigned permits = 1;      ///< for so many at once
    std::size_t together = 1;  ///< so many of the keys are taken at once, all or none
    bool leads = false;        ///< a call campaigns for the key
    bool enters_again = false; ///< each caller is an owner that takes what it has a second time
    std::chrono::milliseconds keep{0};     ///< from the grant on, the key stays behind the unlock
    double cancels = 0;                    ///< the part of the waits that is cancelled ...
    std::chrono::microseconds patience{0}; ///< ... after a random time up to this, if they last
    bench::fault fault = fault::none;
    std::chrono::milliseconds ttl{10'000};
    std::chrono::milliseconds retry_delay{-1}; ///< of npm redlock; negative stands for its default
    std::chrono::milliseconds warm_up{300};
    std::chrono::milliseconds duration{3000};
};

/// One time that somebody wanted a key, in nanoseconds of CLOCK_MONOTONIC.
struct holding {
    std::int64_t asked = 0;
    std::int64_t granted = 0;  ///< 0 when it was not
    std::int64_t released = 0; ///< when the release was called, or the wait ended in vain
    std::uint32_t key = 0;     ///< each permit counts as one
    std::uint32_t process = 0; ///< those of npm among ours come behind ours
    bool reads = false;        ///< together with others that do
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

/// The time in which a process was stopped, or for which it was dead.
struct outage {
    std::uint32_t process = 0;
    std::int64_t from = 0;
    std::int64_t until = std::numeric_limits<std::int64_t>::max();
};

/// All that happened.
struct course {
    std::vector<holding> holdings; ///< of the measured part, by the time of the grant
    std::vector<holding> in_vain;  ///< waits that were cancelled in it, or not over at its end
    std::vector<expense> expenses; ///< by process
    std::int64_t all_there = 0;    ///< from then on all processes contended
    std::optional<bench::outage> outage{};
};

/// When the process begins to contend, after the first.
inline std::chrono::nanoseconds delay_of(const scenario& s, std::size_t process) {
    const std::chrono::nanoseconds all = s.warm_up + s.duration / 2;
    return s.late ? std::chrono::nanoseconds(all.count() * static_cast<std::int64_t>(process) /
                                             static_cast<std::int64_t>(s.processes))
                  : all * 0;
}

} // namespace bench
