#include "contention/crew.hpp"

#include "contention/bare_contender.hpp"
#include "contention/contender.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bench {

crew::~crew() {
    for (const pid_t pid : pids_)
        if (pid != 0) ::kill(pid, SIGKILL);
    for (const pid_t pid : pids_)
        if (pid != 0) ::waitpid(pid, nullptr, 0);
}

void crew::add(const scenario& what, const std::vector<std::string>& nodes, shared_log& log) {
    const std::size_t process = pids_.size();
    const pid_t parent = ::getpid();
    const pid_t pid = ::fork();
    if (pid < 0) throw std::runtime_error("cannot start a process");
    if (pid > 0) {
        pids_.push_back(pid);
        return;
    }
    // Not to outlive the parent. What the parent has on its stack stays its own: no destructor runs here.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
    try {
        (what.by == locker::bare_sockets ? contend_bare : contend)(what, nodes, log, process);
        ::_exit(0);
    } catch (const std::exception& e) {
        fmt::print(stderr, "process {} of {}: {}\n", process, what.name, e.what());
        ::_exit(1);
    }
}

bool crew::ended() {
    for (pid_t& pid : pids_) {
        int status = 0;
        if (pid == 0 || ::waitpid(pid, &status, WNOHANG) != pid) continue;
        pid = 0;
        if (status != 0) throw std::runtime_error("a contending process failed");
    }
    return std::ranges::count(pids_, 0) == static_cast<std::ptrdiff_t>(pids_.size());
}

pid_t crew::running(std::size_t process) const {
    if (pids_.at(process) == 0) throw std::runtime_error("a contending process ended early");
    return pids_[process];
}

void crew::stop(std::size_t process) {
    const pid_t pid = running(process);
    ::kill(pid, SIGSTOP);
    int status = 0;
    if (::waitpid(pid, &status, WUNTRACED) == pid && WIFSTOPPED(status)) return;
    pids_[process] = 0;
    throw std::runtime_error("a contending process ended early");
}

void crew::resume(std::size_t process) { ::kill(running(process), SIGCONT); }

void crew::kill(std::size_t process) {
    const pid_t pid = running(process);
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    pids_[process] = 0;
}

} // namespace bench
