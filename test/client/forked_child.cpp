#include "forked_child.hpp"

#include "support/loop_thread.hpp"
#include "support/system_error.hpp"

#include <array>
#include <csignal>
#include <exception>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace redlock::test {

forked_child::forked_child(const std::function<std::string()>& what) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw_errno("pipe2");
    pid_ = fork_between_handlers();
    if (pid_ == 0) {
        ::close(ends[0]);
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        std::string wrong;
        try {
            wrong = what();
        } catch (const std::exception& e) {
            wrong = e.what();
        }
        const bool told = ::write(ends[1], wrong.data(), wrong.size()) == static_cast<ssize_t>(wrong.size());
        ::_exit(told ? 0 : 1);
    }
    ::close(ends[1]);
    reports_ = ends[0];
}

forked_child::~forked_child() {
    if (!status_) {
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
    ::close(reports_);
}

bool forked_child::ended() {
    int status = 0;
    if (!status_ && ::waitpid(pid_, &status, WNOHANG) == pid_) status_ = status;
    return status_.has_value();
}

std::string forked_child::verdict() {
    if (status_ != 0) return "the child did not end by itself";
    std::array<char, 1024> text{};
    const ssize_t size = ::read(reports_, text.data(), text.size());
    return {text.data(), static_cast<std::size_t>(size > 0 ? size : 0)};
}

void forked_child::stop() {
    if (::kill(pid_, SIGSTOP) != 0) throw_errno("SIGSTOP");
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WSTOPPED | WEXITED | WNOWAIT) != 0)
        throw_errno("waitid");
}

void forked_child::resume() {
    if (::kill(pid_, SIGCONT) != 0) throw_errno("SIGCONT");
}

} // namespace redlock::test
