#pragma once

#include "process/descriptor.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace redlock::tool {

/// What the process at the terminal and its partner tell each other.
enum class subject : std::int32_t {
    begin,   ///< partner: run the command; `text` are variables for it, NAME=VALUE, one a line
    started, ///< the command's process group is `number`; it has not run yet
    lost,    ///< partner: the command must end; `number` is 1 when its group has been sent SIGTERM already
    ended,   ///< the command has ended, or is not wanted any more; `number` is 1 when it never ran
    done     ///< partner: all is given back; `number` is an exit status, 0 when there is nothing to say
};

/// What one of them says to the other.
struct message {
    subject about = subject::begin;
    std::int64_t number = 0;
    std::string text{};
};

/// One end of a connection between two processes of this program that keeps messages apart and in order.
class channel {
public:
    explicit channel(descriptor end) noexcept : end_(std::move(end)) {}

    int number() const noexcept { return end_.number(); }
    int release() noexcept { return end_.release(); }

    /// Does nothing when the other end is gone.
    void send(const message& m) const noexcept;

    /// The next message, or nothing when there is none yet or the other end is gone. Never blocks.
    std::optional<message> receive();

    /// Whether the other end is gone and all that it said was received.
    bool ended() const noexcept { return ended_; }

private:
    descriptor end_;
    bool ended_ = false;
};

/// Another process of this program, made by fork(2). It keeps what the command needs (a lock, nodes) and
/// sees to the command when this process is gone, as this one does when the partner is gone.
class partner {
public:
    /// Runs `life` in a new process, with no standard input and output; the process ends with it. It ignores
    /// the signals that a user sends to this one. Throws `std::system_error`.
    explicit partner(const std::function<void(channel&)>& life);
    partner(const partner&) = delete;
    partner& operator=(const partner&) = delete;
    /// Kills the process if it is still there.
    ~partner();

    int pid() const noexcept { return pid_; }
    channel& line() noexcept { return line_; }

private:
    channel line_;
    int pid_ = -1;
};

} // namespace redlock::tool
