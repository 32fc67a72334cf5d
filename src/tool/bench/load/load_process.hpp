#pragma once

#include "bench/load/load_line.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace redlock::tool {

/// Another process of this program, made by fork(2), that makes load. When this process dies, it gets
/// SIGTERM.
class load_process {
public:
    /// Runs `life` in a new process, which ends with it. It ignores the signals that a user sends from the
    /// terminal and keeps no end of the lines to `others`. Throws `std::system_error`.
    load_process(const std::function<void(load_line&)>& life, std::vector<load_process>& others);
    load_process(load_process&& other) noexcept;
    load_process& operator=(load_process&&) = delete;
    /// Kills the process if it is still there.
    ~load_process();

    int pid() const noexcept { return pid_; }
    load_line& line() noexcept { return line_; }

    void kill() const noexcept;
    /// Waits for its end, which must be near. Returns its status as wait(2) gives it.
    int reap() noexcept;

private:
    load_line line_;
    int pid_ = -1;
    std::optional<int> status_;
};

} // namespace redlock::tool
