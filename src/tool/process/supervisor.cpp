#include "process/supervisor.hpp"

#include "cli/exit_status.hpp"
#include "text/notice.hpp"

#include <algorithm>
#include <csignal>
#include <poll.h>
#include <sys/timerfd.h>

namespace redlock::tool {

using namespace std::chrono_literals;

supervisor::supervisor(supervision settings, partner& other, const signal_intake& signals)
    : settings_(std::move(settings)),
      partner_(other),
      signals_(signals),
      timer_(checked(::timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC), "timerfd")) {}

int supervisor::run() {
    while (!done_) {
        await_news();
        // What was said before the end of the command was known comes first, and time last: when this process
        // was stopped for a while, the others have gone on.
        hear_partner();
        while (const auto number = signals_.next())
            on_signal(*number);
        look_at_command();
        keep_time();
    }
    if (command_) command_->take_terminal();
    return result();
}

int supervisor::result() const {
    if (lost_) return settings_.status_of_loss;
    return partner_status_ != fine ? partner_status_ : status_;
}

void supervisor::await_news() {
    const auto alarm = next_alarm().time_since_epoch();
    const auto whole = std::chrono::floor<std::chrono::seconds>(alarm);
    itimerspec when{};
    if (alarm != time_point::duration::max()) when.it_value = {whole.count(), (alarm - whole).count()};
    checked(::timerfd_settime(timer_.number(), TFD_TIMER_ABSTIME, &when, nullptr), "timerfd");
    pollfd sources[] = {{partner_.line().ended() ? -1 : partner_.line().number(), POLLIN, 0},
                        {signals_.number(), POLLIN, 0},
                        {timer_.number(), POLLIN, 0}};
    ::poll(sources, std::size(sources), -1);
}

supervisor::time_point supervisor::next_alarm() const noexcept {
    auto next = time_point::max();
    if (kill_at_) next = std::min(next, *kill_at_);
    if (give_up_at_) next = std::min(next, *give_up_at_);
    if (running() && !lost_ && settings_.end) {
        const auto end = settings_.end->get();
        if (end != time_point::max()) next = std::min(next, end - settings_.margin / 2);
    }
    return next;
}

void supervisor::hear_partner() {
    while (const auto m = partner_.line().receive())
        hear(*m);
    if (!partner_.line().ended()) return;
    if (!running()) {
        done_ = true;
        if (ending_ || partner_status_ != fine) return;
        partner_status_ = failed;
    } else if (!lost_) {
        lose(false);
    } else {
        return;
    }
    print_notice("the process that keeps what the command needs is gone");
}

void supervisor::hear(const message& m) {
    switch (m.about) {
    case subject::begin:
        return begin(m.text);
    case subject::lost:
        return lose(m.number == 1);
    case subject::done:
        partner_status_ = static_cast<int>(m.number);
        done_ = !running();
        return;
    case subject::started:
    case subject::ended:
        return;
    }
}

void supervisor::begin(const std::string& variables) {
    if (ending_) return;
    if (settings_.command.empty()) return settings_.without_command(variables);
    command_.emplace(settings_.command, variables, signals_);
    partner_.line().send({subject::started, command_->group(), {}});
    if (const int refusal = command_->release(); refusal != fine) finish(refusal);
}

void supervisor::on_signal(int number) {
    if (number == SIGCHLD) return;
    if (command_) {
        if (!ending_) command_->signal(number);
    } else if (number == SIGTSTP) {
        ::raise(SIGSTOP);
    } else if (number != SIGCONT && number != SIGWINCH) {
        finish(status_of_signal(number));
    }
}

void supervisor::look_at_command() {
    if (!running()) return;
    reap_descendants(partner_.pid(), command_->group());
    if (const auto status = command_->status()) {
        // It had its time to come to an end. What it left behind did not.
        if (lost_) kill_all();
        kill_at_.reset();
        finish(*status);
    } else if (const auto signal = command_->stopped()) {
        on_stop(*signal);
    }
}

// Somebody at the terminal stopped the command, or it wants the terminal. Whoever stops it by SIGSTOP means
// it alone, and will not think of this process when it shall go on.
void supervisor::on_stop(int signal) {
    if (lost_ || signal == SIGSTOP) return;
    const bool wants_terminal = signal == SIGTTIN || signal == SIGTTOU;
    if (wants_terminal && command_->give_terminal()) return command_->signal(SIGCONT);
    pause();
}

// Meanwhile the partner goes on renewing, and ends the command if the lock is lost.
void supervisor::pause() {
    const bool had_terminal = command_->take_terminal();
    ::raise(SIGSTOP);
    if (had_terminal) command_->give_terminal();
    command_->signal(SIGCONT);
}

void supervisor::keep_time() {
    const auto now = boot_clock::now();
    if (kill_at_ && now >= *kill_at_) {
        kill_all();
        kill_at_.reset();
    }
    if (give_up_at_ && now >= *give_up_at_) done_ = true;
    if (lost_ || !running() || now < next_alarm()) return;
    print_notice("the process that keeps the lock does not answer");
    patience_ = 1s;
    lose(false);
}

void supervisor::lose(bool told_already) {
    if (lost_ || !running()) return;
    lost_ = true;
    if (!told_already) command_->signal(SIGTERM);
    const auto now = boot_clock::now();
    kill_at_ = now + settings_.grace;
    if (!settings_.end || settings_.end->get() == time_point::max()) return;
    const auto latest = settings_.end->get() + settings_.overtime;
    // A majority that no longer has the key may have another holder already; the grace is all there is.
    if (latest > now) kill_at_ = std::min(*kill_at_, latest);
}

void supervisor::finish(int status) {
    if (ending_) return;
    ending_ = true;
    status_ = status;
    give_up_at_ = boot_clock::now() + patience_;
    const bool has_run = command_ && command_->has_begun();
    partner_.line().send({subject::ended, has_run ? 0 : 1, {}});
    done_ = partner_.line().ended();
}

void supervisor::kill_all() {
    command_->signal(SIGKILL);
    kill_descendants(partner_.pid(), command_->group());
}

} // namespace redlock::tool
