#include "local/local_node.hpp"

#include <fmt/format.h>

#include <arpa/inet.h>
#include <array>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <netinet/in.h>
#include <stdexcept>
#include <string_view>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

namespace redlock::tool {
namespace {

// More losses of a port in a row than this have another cause.
constexpr int most_launches = 5;

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

/// A name of any bytes as one word of a configuration.
std::string configuration_word(std::string_view name) {
    std::string word = "\"";
    for (const char c : name) {
        if (c == '"' || c == '\\')
            word += std::string("\\") + c;
        else if (c < ' ')
            word += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        else
            word += c;
    }
    return word + '"';
}

void reap(int pid) noexcept {
    while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
}

} // namespace

local_node::local_node(const local_plan& plan, std::size_t index)
    : server_(plan.server), folder_(fmt::format("{}/{}", plan.folder, index)), directives_(plan.directives) {
    std::filesystem::create_directory(folder_);
    launch();
}

local_node::local_node(local_node&& other) noexcept
    : server_(std::move(other.server_)),
      folder_(std::move(other.folder_)),
      directives_(std::move(other.directives_)),
      port_(other.port_),
      pid_(std::exchange(other.pid_, -1)),
      launches_(other.launches_) {}

local_node::~local_node() {
    if (pid_ < 0) return;
    // There is nothing to save, and a server that somebody stopped would not hear anything else.
    ::kill(pid_, SIGKILL);
    reap(pid_);
}

std::string local_node::address() const { return fmt::format("redis://127.0.0.1:{}", port_); }

std::string local_node::configuration() const {
    std::string text = fmt::format("bind 127.0.0.1\nport {}\nunixsocket {}\ndir {}\nlogfile {}\n", port_,
                                   configuration_word(folder_ + "/s"), configuration_word(folder_),
                                   configuration_word(folder_ + "/log"));
    text += "save \"\"\nappendonly no\nmaxmemory-policy noeviction\nnotify-keyspace-events Kgxe\n";
    for (const auto& line : directives_)
        text += line + '\n';
    return text;
}

void local_node::launch() {
    ++launches_;
    port_ = free_port();
    std::filesystem::remove(folder_ + "/log");
    std::ofstream(folder_ + "/redis.conf") << configuration();
    const int parent = ::getpid();
    pid_ = checked(::fork(), "fork");
    if (pid_ == 0) become(parent);
}

// Between fork and exec.
void local_node::become(int parent) const {
    // Not for whoever is at the terminal to interrupt.
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    // The parent may have died before prctl was in force.
    if (::getppid() != parent) ::_exit(1);
    const int log = ::open((folder_ + "/log").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    ::dup2(log, STDOUT_FILENO);
    ::dup2(log, STDERR_FILENO);
    const std::string file = folder_ + "/redis.conf";
    ::execlp(server_.c_str(), server_.c_str(), file.c_str(), nullptr);
    const std::string why = fmt::format("cannot run {}: {}\n", server_, std::strerror(errno));
    [[maybe_unused]] const auto written = ::write(log, why.data(), why.size());
    ::_exit(1);
}

bool local_node::ready() {
    if (answers()) return true;
    if (::waitpid(pid_, nullptr, WNOHANG) == 0) return false;
    pid_ = -1;
    const std::string words = last_words();
    const bool late = words.find("Address already in use") != std::string::npos;
    if (!late || launches_ == most_launches) throw std::runtime_error("a node does not start: " + words);
    launch();
    return false;
}

// Over the Unix socket: whoever else may sit on that port cannot answer here.
bool local_node::answers() const {
    const descriptor socket(checked(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket"));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string path = folder_ + "/s";
    if (path.size() >= sizeof address.sun_path) throw std::runtime_error(folder_ + " is too long a name");
    path.copy(address.sun_path, path.size());
    const timeval limit{1, 0};
    ::setsockopt(socket.number(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    if (::connect(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        return false;
    constexpr std::string_view question = "PING\r\n";
    if (::send(socket.number(), question.data(), question.size(), MSG_NOSIGNAL) < 0) return false;
    std::array<char, 64> answer{};
    const auto size = ::recv(socket.number(), answer.data(), answer.size(), 0);
    if (size <= 0) return false;
    const std::string_view words(answer.data(), static_cast<std::size_t>(size));
    return words.starts_with('+') || words.starts_with("-NOAUTH");
}

std::string local_node::last_words() const {
    constexpr std::size_t most = 500;
    std::ifstream log(folder_ + "/log");
    std::string all;
    for (std::string line; std::getline(log, line);)
        if (!line.empty()) all += (all.empty() ? "" : "; ") + line;
    return all.size() > most ? all.substr(all.size() - most) : all;
}

} // namespace redlock::tool
