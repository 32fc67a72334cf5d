#include "network/transport/network_round_trip.hpp"

#if __has_include(<linux/version.h>)
#include <linux/version.h>
#endif

// Linux wakes a reader for a mark that was lowered since 4.18; that it knows a field of 4.19 shows that it
// does.
#if defined(LINUX_VERSION_CODE) && LINUX_VERSION_CODE >= KERNEL_VERSION(4, 19, 0)
#define REDLOCK_HAS_TCP_INFO 1
// Not <netinet/tcp.h>, whose structure of the same name ends before what is needed here: the two exclude each
// other, so this file must not know of Asio.
#include <cstddef>
#include <cstdint>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>
#endif

namespace redlock::network {

std::optional<std::chrono::nanoseconds> network_round_trip([[maybe_unused]] int socket) noexcept {
#if defined(REDLOCK_HAS_TCP_INFO)
    tcp_info info{};
    socklen_t size = sizeof info;
    constexpr std::size_t needed = offsetof(tcp_info, tcpi_bytes_sent) + sizeof info.tcpi_bytes_sent;
    if (::getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) != 0 || size < needed) return std::nullopt;
    if (info.tcpi_min_rtt == ~std::uint32_t{0}) return std::nullopt; // nothing was measured yet
    return std::chrono::microseconds(info.tcpi_min_rtt);
#else
    return std::nullopt;
#endif
}

} // namespace redlock::network
