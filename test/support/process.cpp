#include "support/process.hpp"

#include "support/system_error.hpp"

#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

namespace redlock::test {
namespace {

void connect_stream(int from, int to) {
    if (from < 0) from = ::open("/dev/null", O_RDWR);
    if (from >= 0) ::dup2(from, to);
}

// Runs between fork and exec, where only async-signal-safe calls are allowed. Ends by exec or by telling
// errno.
[[noreturn]] void become(char* const* arguments, const standard_streams& streams, int parent, int report) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    // The parent may have died before prctl was in force.
    if (::getppid() != parent) ::_exit(127);
    connect_stream(streams.input, STDIN_FILENO);
    connect_stream(streams.output, STDOUT_FILENO);
    connect_stream(streams.error, STDERR_FILENO);
    // Asio opens its sockets without close-on-exec; a child that kept one would keep a dead connection alive.
    ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
    ::execvp(arguments[0], arguments);
    const int failure = errno;
    [[maybe_unused]] const auto written = ::write(report, &failure, sizeof failure);
    ::_exit(127);
}

} // namespace

process::process(const std::vector<std::string>& arguments, standard_streams streams) {
    std::vector<char*> argv;
    for (const auto& argument : arguments)
        argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    int report[2];
    if (::pipe2(report, O_CLOEXEC) != 0) throw_errno("pipe");
    const file_descriptor reader(report[0]);
    file_descriptor writer(report[1]);
    const int parent = ::getpid();
    pid_ = ::fork();
    if (pid_ < 0) throw_errno("fork");
    if (pid_ == 0) become(argv.data(), streams, parent, writer.get());
    writer.close();
    handle_ = file_descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
    int failure = 0;
    // The pipe closes without a word when exec succeeds.
    if (::read(reader.get(), &failure, sizeof failure) == sizeof failure) {
        kill();
        errno = failure;
        throw_errno("cannot run " + arguments[0]);
    }
}

process::~process() { kill(); }

int process::reap() noexcept {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    status_ = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    return *status_;
}

std::optional<int> process::wait(std::chrono::milliseconds bound) {
    if (status_) return status_;
    pollfd ended{handle_.get(), POLLIN, 0};
    const int ready = ::poll(&ended, 1, static_cast<int>(bound.count()));
    if (ready < 0) throw_errno("poll");
    if (ready == 0) return std::nullopt;
    return reap();
}

void process::stop() {
    if (::kill(pid_, SIGSTOP) != 0) throw_errno("SIGSTOP");
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WSTOPPED | WEXITED | WNOWAIT) != 0)
        throw_errno("waitid");
}

void process::resume() {
    if (::kill(pid_, SIGCONT) != 0) throw_errno("SIGCONT");
}

void process::kill() noexcept {
    if (pid_ < 0 || status_) return;
    ::kill(pid_, SIGKILL);
    reap();
}

} // namespace redlock::test
