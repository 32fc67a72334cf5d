#pragma once

#include "process/command_process.hpp"
#include "process/lease_end.hpp"
#include "process/partner.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace redlock::tool {

/// What a supervisor goes by.
struct supervision {
    std::vector<std::string> command{};
    /// Between SIGTERM and SIGKILL when the command must end.
    std::chrono::milliseconds grace{0};
    /// How long before the end of the lease the partner tells that it is lost.
    std::chrono::milliseconds margin{0};
    /// How long after the end of the lease the command may still run.
    std::chrono::milliseconds overtime{0};
    const lease_end* end = nullptr; ///< may be null: there is no lease
    /// What the tool ends with when the command had to be ended.
    int status_of_loss = 0;
    /// Called instead when there is no command; what comes next is the end by a signal.
    std::function<void(const std::string& variables)> without_command{};
};

/// Sees a command through: begins it when the partner says so, passes signals on, stops and goes on with it,
/// and ends it when the partner says so, is gone, or keeps silent until the end of the lease.
class supervisor {
public:
    supervisor(supervision settings, partner& other, const signal_intake& signals);

    /// Returns the status that the tool ends with: that of the command, 128 + n when signal n ended it or
    /// came before it began, `status_of_loss`, or what the partner said.
    int run();

private:
    using time_point = boot_clock::time_point;

    void await_news();
    void hear_partner();
    void hear(const message& m);
    void begin(const std::string& variables);
    void on_signal(int number);
    void look_at_command();
    void on_stop(int signal);
    void pause();
    void keep_time();
    void lose(bool told_already);
    void finish(int status);
    void kill_all();
    bool running() const noexcept { return command_ && !ending_; }
    time_point next_alarm() const noexcept;
    int result() const;

    supervision settings_;
    partner& partner_;
    const signal_intake& signals_;
    descriptor timer_;
    std::optional<command_process> command_;
    std::optional<time_point> kill_at_;
    std::optional<time_point> give_up_at_; ///< waiting for the partner to give back what it keeps
    /// Longer than the partner needs for whatever it does in the end; it asks the nodes twice at most.
    std::chrono::seconds patience_{150};
    int status_ = 0;
    int partner_status_ = 0;
    bool ending_ = false; ///< the partner was told that the command ended or is not wanted
    bool lost_ = false;
    bool done_ = false;
};

} // namespace redlock::tool
