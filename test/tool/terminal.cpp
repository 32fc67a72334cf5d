#include "terminal.hpp"

#include "support/eventually.hpp"
#include "support/system_error.hpp"

#include <csignal>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>

namespace redlock::test {

terminal::terminal(const std::vector<std::string>& words, unsigned short columns) {
    std::vector<char*> argv;
    for (const auto& word : words)
        argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    const winsize size{24, columns, 0, 0};
    int master = -1;
    pid_ = ::forkpty(&master, nullptr, nullptr, &size);
    if (pid_ < 0) throw_errno("forkpty");
    if (pid_ == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        ::execv(argv[0], argv.data());
        ::_exit(99);
    }
    master_ = file_descriptor(master);
}

terminal::~terminal() {
    if (status_) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
}

void terminal::type(const std::string& text) const {
    if (::write(master_.get(), text.data(), text.size()) < 0) throw_errno("write to the terminal");
}

bool terminal::shows(const std::string& text) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    for (;;) {
        if (const auto at = screen_.find(text, seen_); at != std::string::npos) {
            seen_ = at + text.size();
            return true;
        }
        pollfd readable{master_.get(), POLLIN, 0};
        if (std::chrono::steady_clock::now() > deadline || ::poll(&readable, 1, 1000) < 0) return false;
        char bytes[4096];
        if (readable.revents == 0) continue;
        const auto size = ::read(master_.get(), bytes, sizeof bytes);
        if (size <= 0) return false;
        screen_.append(bytes, static_cast<std::size_t>(size));
    }
}

std::vector<std::string> terminal::all_lines() {
    shows("\xff never");
    std::vector<std::string> lines(1);
    for (std::size_t i = 0; i < screen_.size(); ++i) {
        if (screen_[i] == '\x1b')
            i = screen_.find('m', i);
        else if (screen_[i] == '\n')
            lines.emplace_back();
        else if (screen_[i] != '\r')
            lines.back() += screen_[i];
        if (i == std::string::npos) break;
    }
    return lines;
}

void terminal::resize(unsigned short columns, unsigned short rows) const {
    const winsize size{rows, columns, 0, 0};
    if (::ioctl(master_.get(), TIOCSWINSZ, &size) != 0) throw_errno("TIOCSWINSZ");
}

int terminal::foreground() const { return ::tcgetpgrp(master_.get()); }

bool terminal::has_stopped() const {
    siginfo_t info{};
    return eventually([&] {
        return ::waitid(P_PID, static_cast<id_t>(pid_), &info, WSTOPPED | WNOHANG) == 0 &&
               info.si_pid == pid_;
    });
}

std::optional<int> terminal::status() {
    int raw = 0;
    if (!eventually([&] { return ::waitpid(pid_, &raw, WNOHANG) == pid_; })) return std::nullopt;
    status_ = WIFEXITED(raw) ? WEXITSTATUS(raw) : -WTERMSIG(raw);
    return status_;
}

} // namespace redlock::test
