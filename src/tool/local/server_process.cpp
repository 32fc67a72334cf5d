#include "local/server_process.hpp"

#include "process/descriptor.hpp"

#include <fmt/format.h>

#include <arpa/inet.h>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <grp.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <utility>

namespace redlock::tool {
namespace {

using namespace std::chrono_literals;

constexpr auto longest_end = 5s;

} // namespace

server_process::server_process(const server_command& run) : end_signal_(run.end_signal) {
    const int parent = ::getpid();
    pid_ = checked(::fork(), "fork");
    if (pid_ == 0) become(run, parent);
}

server_process::server_process(server_process&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), end_signal_(other.end_signal_), status_(other.status_) {}

// One that somebody has stopped hears of SIGKILL alone.
server_process::~server_process() {
    if (pid_ < 0 || ended()) return;
    ::kill(pid_, end_signal_);
    ::kill(pid_, SIGCONT);
    for (const auto limit = std::chrono::steady_clock::now() + longest_end; !ended();) {
        if (std::chrono::steady_clock::now() > limit) ::kill(pid_, SIGKILL);
        std::this_thread::sleep_for(1ms);
    }
}

std::optional<int> server_process::ended() {
    int status = 0;
    if (!status_ && ::waitpid(pid_, &status, WNOHANG) == pid_) status_ = status;
    return status_;
}

// Between fork and exec. A change of user makes the system forget the signal asked for before.
void server_process::become(const server_command& run, int parent) {
    ::setpgid(0, 0);
    const int log = ::open((run.folder + "/log").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    ::dup2(log, STDOUT_FILENO);
    ::dup2(log, STDERR_FILENO);
    const auto fail = [&](const std::string& what) {
        const std::string why = fmt::format("cannot {}: {}\n", what, std::strerror(errno));
        [[maybe_unused]] const auto written = ::write(log, why.data(), why.size());
        ::_exit(1);
    };
    if (run.owner &&
        (::setgroups(0, nullptr) != 0 || ::setgid(run.owner->group) != 0 || ::setuid(run.owner->user) != 0))
        fail(fmt::format("become user {}", run.owner->user));
    if (::chdir(run.folder.c_str()) != 0) fail(fmt::format("enter {} as user {}", run.folder, ::getuid()));
    // Ignored signals would stay ignored in the program.
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGPIPE})
        std::signal(number, SIG_DFL);
    ::prctl(PR_SET_PDEATHSIG, run.end_signal);
    // The parent may have died before prctl was in force.
    if (::getppid() != parent) ::_exit(1);
    std::vector<char*> words;
    for (const std::string& word : run.words)
        words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    ::execv(words.front(), words.data());
    fail("run " + run.words.front());
    ::_exit(1);
}

std::string last_words(const std::string& folder) {
    constexpr std::size_t most = 500;
    std::ifstream log(folder + "/log");
    std::string all;
    for (std::string line; std::getline(log, line);)
        if (!line.empty()) all += (all.empty() ? "" : "; ") + line;
    if (all.empty()) return "it ended without a word";
    return all.size() > most ? all.substr(all.size() - most) : all;
}

std::uint16_t free_port() {
    const descriptor socket(checked(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket"));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    checked(::bind(socket.number(), reinterpret_cast<const sockaddr*>(&address), size), "bind");
    checked(::getsockname(socket.number(), reinterpret_cast<sockaddr*>(&address), &size), "getsockname");
    return ntohs(address.sin_port);
}

} // namespace redlock::tool
