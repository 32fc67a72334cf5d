#pragma once

#include "process/descriptor.hpp"
#include "process/signal_intake.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace redlock::tool {

/// The command that the tool runs for its user: a child in a process group of its own, which gets the
/// terminal while this process would have it. It gets SIGKILL from the kernel when this process dies.
class command_process {
public:
    /// Makes the process; it does not become the command before `release`. `variables` are NAME=VALUE, one a
    /// line. Throws `std::system_error`.
    command_process(const std::vector<std::string>& words, const std::string& variables,
                    const signal_intake& signals);
    command_process(const command_process&) = delete;
    command_process& operator=(const command_process&) = delete;
    /// Takes the terminal back and the process off the table of the system; it must have ended.
    ~command_process();

    /// Lets it become the command. Returns 0, or the status of a shell that could not run it, with a message
    /// on standard error.
    int release();

    /// Whether it became the command.
    bool has_begun() const noexcept { return has_begun_; }
    /// Its process group.
    int group() const noexcept { return pid_; }

    /// Its exit status, 128 + n when signal n ended it, or nothing while it runs. The process stays on the
    /// table of the system, so that its number cannot become another's.
    std::optional<int> status() const noexcept;

    /// The signal that stopped it since the last call, if one did.
    std::optional<int> stopped() const noexcept;

    /// Sends a signal to the whole group. SIGTERM reaches stopped processes, too.
    void signal(int number) const noexcept;

    /// Gives the terminal to the command, if this process has it. Returns whether it had.
    bool give_terminal() noexcept;
    /// Takes it back if it was given, and returns whether it was.
    bool take_terminal() noexcept;

private:
    [[noreturn]] void become(const std::vector<std::string>& words, const std::string& variables,
                             const signal_intake& signals, int parent, int start, int report);

    descriptor terminal_;
    descriptor start_;  ///< closing it lets the process go on
    descriptor report_; ///< says why exec failed; closes without a word when it did not
    std::string name_;
    int pid_ = -1;
    bool has_terminal_ = false;
    bool has_begun_ = false;
};

/// Sends a signal to a process group; SIGTERM reaches stopped processes, too.
void signal_group(int group, int number) noexcept;

/// Kills what descends from this process, but for `spared`, and waits for the end of it, a second at most.
/// This process must be the subreaper of its descendants.
void kill_descendants(int spared, int command);

/// Takes those that descend from this process and have ended off the table of the system, but for these two.
void reap_descendants(int spared, int command);

} // namespace redlock::tool
