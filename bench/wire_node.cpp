#include "wire_node.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace bench {
namespace {

void wait_for(int socket, const std::string& name) {
    pollfd readable{socket, POLLIN, 0};
    if (::poll(&readable, 1, 5000) != 1)
        throw std::runtime_error(fmt::format("{}: no reply within 5 s", name));
}

} // namespace

wire_node::wire_node(std::uint16_t port) : name_(fmt::format("127.0.0.1:{}", port)), in_(in_size, '\0') {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket_ < 0) fail("socket");
    sockaddr generic{};
    static_assert(sizeof(generic) == sizeof(address));
    std::memcpy(&generic, &address, sizeof(address));
    if (::connect(socket_, &generic, sizeof(generic)) != 0) fail("connect");
    const int on = 1;
    if (::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) != 0) fail("TCP_NODELAY");
}

wire_node::wire_node(wire_node&& other) noexcept
    : name_(std::move(other.name_)),
      socket_(std::exchange(other.socket_, -1)),
      out_(std::move(other.out_)),
      sent_(other.sent_),
      in_(std::move(other.in_)),
      kept_(other.kept_) {}

wire_node::~wire_node() {
    if (socket_ >= 0) ::close(socket_);
}

std::string wire_node::ask(std::string_view command) {
    // What comes before the answer to the PING is the answer to the command, whatever its form.
    append(command);
    append("*1\r\n$4\r\nPING\r\n");
    while (!flush())
        continue;
    std::string reply;
    while (!reply.ends_with("+PONG\r\n")) {
        wait_for(socket_, name_);
        reply.append(receive());
    }
    if (reply[0] == '-') throw std::runtime_error(fmt::format("{}: {}", name_, reply));
    return reply;
}

bool wire_node::flush() {
    if (out_.empty()) return true;
    const auto n = ::send(socket_, out_.data() + sent_, out_.size() - sent_, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (n < 0 && errno != EAGAIN && errno != EINTR) fail("send");
    if (n > 0) sent_ += static_cast<std::size_t>(n);
    if (sent_ < out_.size()) return false;
    out_.clear();
    sent_ = 0;
    return true;
}

std::string_view wire_node::receive() {
    const auto n = ::recv(socket_, in_.data() + kept_, in_.size() - kept_, MSG_DONTWAIT);
    if (n == 0) throw std::runtime_error(fmt::format("{}: connection closed", name_));
    if (n < 0 && errno != EAGAIN && errno != EINTR) fail("recv");
    const auto size = std::exchange(kept_, 0) + (n > 0 ? static_cast<std::size_t>(n) : 0);
    return std::string_view(in_).substr(0, size);
}

void wire_node::keep(std::string_view rest) {
    std::memmove(in_.data(), rest.data(), rest.size());
    kept_ = rest.size();
}

void wire_node::fail(const char* what) const {
    throw std::system_error(errno, std::generic_category(), fmt::format("{}: {}", name_, what));
}

} // namespace bench
