#include "process/signal_intake.hpp"

#include <sys/signalfd.h>

namespace redlock::tool {

signal_intake::signal_intake() {
    sigset_t wanted;
    sigemptyset(&wanted);
    for (const int number :
         {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT, SIGWINCH, SIGCHLD})
        sigaddset(&wanted, number);
    sigset_t blocked = wanted;
    // So that this process may give the terminal away and take it back.
    sigaddset(&blocked, SIGTTOU);
    ::sigprocmask(SIG_BLOCK, &blocked, &former_);
    source_.reset(checked(::signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK), "signalfd"));
}

std::optional<int> signal_intake::next() const noexcept {
    signalfd_siginfo info{};
    if (::read(source_.number(), &info, sizeof info) != sizeof info) return std::nullopt;
    return static_cast<int>(info.ssi_signo);
}

} // namespace redlock::tool
