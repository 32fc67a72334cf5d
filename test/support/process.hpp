#pragma once

#include "support/file_descriptor.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace redlock::test {

/// What becomes of the standard streams of a process; −1 stands for /dev/null.
struct standard_streams {
    int input = -1;
    int output = -1;
    int error = -1;
};

/// Another program, run as a child of this one and killed when the object is destroyed. It inherits no file
/// descriptors but its standard streams. It also dies with the *thread* that constructed the object, so that
/// no crash of a test leaves it behind: construct it in a thread that lives at least as long. Not
/// thread-safe.
class process {
public:
    /// Runs `arguments[0]`, looked up in PATH. Throws `std::system_error` when that fails.
    process(const std::vector<std::string>& arguments, standard_streams streams);
    process(const process&) = delete;
    process& operator=(const process&) = delete;
    ~process();

    int pid() const noexcept { return pid_; }

    /// Waits for the end of the process. Returns its exit status (−n when signal n ended it), or nothing when
    /// the bound passed.
    std::optional<int> wait(std::chrono::milliseconds bound);

    /// SIGSTOP; returns when the process has stopped.
    void stop();
    /// SIGCONT.
    void resume();
    /// SIGKILL; returns when the process has ended. Does nothing when it ended before.
    void kill() noexcept;

private:
    int reap() noexcept;

    int pid_ = -1;
    file_descriptor handle_; ///< a pidfd: readable when the process has ended
    std::optional<int> status_;
};

} // namespace redlock::test
