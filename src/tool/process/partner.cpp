#include "process/partner.hpp"

#include "text/notice.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <system_error>

namespace redlock::tool {
namespace {

struct header {
    subject about;
    std::int64_t number;
};

// Room for the addresses of 63 nodes on loopback.
constexpr std::size_t largest_message = 8192;

std::array<descriptor, 2> connected_pair() {
    int ends[2];
    checked(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), "socketpair");
    return {descriptor(ends[0]), descriptor(ends[1])};
}

void leave_terminal() {
    for (const int number :
         {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE})
        std::signal(number, SIG_IGN);
    // Those who are run from here begin with a clean slate.
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    const descriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
    ::dup2(nothing.number(), STDIN_FILENO);
    ::dup2(nothing.number(), STDOUT_FILENO);
    ::prctl(PR_SET_NAME, "redlock-partner");
}

} // namespace

int checked(int result, const char* what) {
    if (result < 0) throw std::system_error(errno, std::generic_category(), what);
    return result;
}

void channel::send(const message& m) const noexcept {
    const header head{m.about, m.number};
    std::array<char, largest_message> bytes{};
    const std::size_t size = std::min(m.text.size(), bytes.size() - sizeof head);
    std::memcpy(bytes.data(), &head, sizeof head);
    std::memcpy(bytes.data() + sizeof head, m.text.data(), size);
    // A failure shows as the end of the channel.
    [[maybe_unused]] const auto sent = ::send(end_.number(), bytes.data(), sizeof head + size, MSG_NOSIGNAL);
}

std::optional<message> channel::receive() {
    std::array<char, largest_message> bytes{};
    const auto size = ::recv(end_.number(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) return std::nullopt;
    header head{};
    if (size < static_cast<ssize_t>(sizeof head)) {
        ended_ = true;
        return std::nullopt;
    }
    std::memcpy(&head, bytes.data(), sizeof head);
    return message{head.about, head.number, std::string(bytes.data() + sizeof head, bytes.data() + size)};
}

partner::partner(const std::function<void(channel&)>& life) : line_(descriptor()) {
    auto ends = connected_pair();
    pid_ = checked(::fork(), "fork");
    if (pid_ != 0) {
        line_ = channel(std::move(ends[0]));
        return;
    }
    ends[0].reset();
    channel line(std::move(ends[1]));
    try {
        leave_terminal();
        life(line);
    } catch (const std::exception& e) {
        print_notice(e.what());
    }
    // What the parent has in its buffers and its exit handlers are none of this process's business.
    ::_exit(0);
}

partner::~partner() {
    ::kill(pid_, SIGKILL);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

} // namespace redlock::tool
