#pragma once

#include "process/descriptor.hpp"

#include <csignal>
#include <optional>

namespace redlock::tool {

/// Takes the signals that are meant for a command, and SIGCHLD, as things to read instead of interruptions.
/// Those that were ignored when the program began stay ignored. Make it before anything can send a signal.
class signal_intake {
public:
    signal_intake();
    signal_intake(const signal_intake&) = delete;
    signal_intake& operator=(const signal_intake&) = delete;
    ~signal_intake() { restore(); }

    /// Readable when `next` has something to say.
    int number() const noexcept { return source_.number(); }
    std::optional<int> next() const noexcept;

    /// Back to how it was; for a new process before it becomes another program.
    void restore() const noexcept { ::sigprocmask(SIG_SETMASK, &former_, nullptr); }

private:
    sigset_t former_{};
    descriptor source_;
};

} // namespace redlock::tool
