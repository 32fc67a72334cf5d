#include "support/loopback_port.hpp"

#include "support/file_descriptor.hpp"
#include "support/system_error.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <random>
#include <sys/socket.h>

namespace redlock::test {
namespace {

constexpr std::uint16_t lowest = 12'000;
constexpr std::uint16_t highest = 32'000;

bool can_listen(std::uint16_t port) {
    const file_descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!socket) throw_errno("socket");
    const int yes = 1;
    ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
           ::listen(socket.get(), 1) == 0;
}

} // namespace

std::uint16_t free_loopback_port() {
    std::random_device random;
    std::uniform_int_distribution<std::uint16_t> ports(lowest, highest);
    for (int attempt = 0; attempt < 1000; ++attempt) {
        if (const auto port = ports(random); can_listen(port)) return port;
    }
    throw_errno("no free port on 127.0.0.1");
}

} // namespace redlock::test
