#include "process/command_process.hpp"

#include "cli/exit_status.hpp"
#include "text/notice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>

namespace redlock::tool {
namespace {

std::array<descriptor, 2> make_pipe() {
    int ends[2];
    checked(::pipe2(ends, O_CLOEXEC), "pipe");
    return {descriptor(ends[0]), descriptor(ends[1])};
}

// Anything else in the foreground, such as a pager behind a pipe, needs the terminal as much as the command.
bool streams_are_terminals() { return ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1; }

std::optional<siginfo_t> look(int pid, int what) noexcept {
    siginfo_t info{};
    const bool answered = ::waitid(P_PID, static_cast<id_t>(pid), &info, what | WNOHANG) == 0;
    return answered && info.si_pid == pid ? std::optional(info) : std::nullopt;
}

} // namespace

command_process::command_process(const std::vector<std::string>& words, const std::string& variables,
                                 const signal_intake& signals)
    : terminal_(::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)), name_(words.at(0)) {
    auto start = make_pipe();
    auto report = make_pipe();
    // What leaves the group of the command and loses its parent comes to this process, and so cannot hide.
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    const int parent = ::getpid();
    pid_ = checked(::fork(), "fork");
    if (pid_ == 0) {
        start[1].reset();
        become(words, variables, signals, parent, start[0].number(), report[1].number());
    }
    // Here as well as there: whoever comes second finds it done.
    ::setpgid(pid_, pid_);
    start_ = std::move(start[1]);
    report_ = std::move(report[0]);
}

// Between fork and exec.
void command_process::become(const std::vector<std::string>& words, const std::string& variables,
                             const signal_intake& signals, int parent, int start, int report) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    char go = 0;
    // The parent may have died before prctl was in force. It says one byte when all is ready.
    if (::read(start, &go, 1) != 1 || ::getppid() != parent) ::_exit(failed);
    for (std::size_t from = 0; from < variables.size();) {
        const std::size_t end = std::min(variables.find('\n', from), variables.size());
        // It stays a part of the environment.
        ::putenv(::strndup(variables.data() + from, end - from));
        from = end + 1;
    }
    std::vector<char*> argv;
    for (const auto& word : words)
        argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    signals.restore();
    ::execvp(argv[0], argv.data());
    const int why = errno;
    [[maybe_unused]] const auto written = ::write(report, &why, sizeof why);
    ::_exit(why == ENOENT ? not_found : cannot_run);
}

int command_process::release() {
    if (streams_are_terminals()) give_terminal();
    [[maybe_unused]] const auto written = ::write(start_.number(), "", 1);
    start_.reset();
    int why = 0;
    has_begun_ = ::read(report_.number(), &why, sizeof why) != sizeof why;
    if (has_begun_) return fine;
    print_notice(fmt::format("cannot run {}: {}", name_, std::strerror(why)));
    return why == ENOENT ? not_found : cannot_run;
}

command_process::~command_process() {
    take_terminal();
    start_.reset();
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

std::optional<int> command_process::status() const noexcept {
    const auto end = look(pid_, WEXITED | WNOWAIT);
    if (!end) return std::nullopt;
    return end->si_code == CLD_EXITED ? end->si_status : status_of_signal(end->si_status);
}

std::optional<int> command_process::stopped() const noexcept {
    const auto stop = look(pid_, WSTOPPED);
    return stop ? std::optional(stop->si_status) : std::nullopt;
}

void command_process::signal(int number) const noexcept { signal_group(pid_, number); }

bool command_process::give_terminal() noexcept {
    if (::tcgetpgrp(terminal_.number()) != ::getpgrp()) return false;
    has_terminal_ = ::tcsetpgrp(terminal_.number(), pid_) == 0;
    return has_terminal_;
}

bool command_process::take_terminal() noexcept {
    return std::exchange(has_terminal_, false) && ::tcsetpgrp(terminal_.number(), ::getpgrp()) == 0;
}

void signal_group(int group, int number) noexcept {
    ::kill(-group, number);
    if (number == SIGTERM) ::kill(-group, SIGCONT);
}

} // namespace redlock::tool
