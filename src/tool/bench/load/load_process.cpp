#include "bench/load/load_process.hpp"

#include "text/notice.hpp"

#include <cerrno>
#include <csignal>
#include <exception>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <utility>

namespace redlock::tool {
namespace {

void leave_terminal() {
    for (const int number : {SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE})
        std::signal(number, SIG_IGN);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::prctl(PR_SET_NAME, "redlock-load");
}

} // namespace

load_process::load_process(const std::function<void(load_line&)>& life, std::vector<load_process>& others) {
    auto ends = load_line::connected_pair();
    const int parent = ::getpid();
    pid_ = checked(::fork(), "fork");
    if (pid_ != 0) {
        line_ = std::move(ends[0]);
        return;
    }
    ends[0].close();
    for (auto& other : others)
        other.line_.close();
    leave_terminal();
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    // The parent may have died before prctl was in force.
    if (::getppid() != parent) ::_exit(1);
    try {
        life(ends[1]);
    } catch (const std::exception& e) {
        print_notice(e.what());
        ::_exit(1);
    }
    // What the parent has in its buffers and its exit handlers are none of this process's business.
    ::_exit(0);
}

load_process::load_process(load_process&& other) noexcept
    : line_(std::move(other.line_)), pid_(std::exchange(other.pid_, -1)), status_(other.status_) {}

load_process::~load_process() {
    if (pid_ < 0 || status_) return;
    kill();
    reap();
}

void load_process::kill() const noexcept {
    if (!status_) ::kill(pid_, SIGKILL);
}

int load_process::reap() noexcept {
    int status = 0;
    while (!status_) {
        if (::waitpid(pid_, &status, 0) == pid_ || errno != EINTR) status_ = status;
    }
    return *status_;
}

} // namespace redlock::tool
