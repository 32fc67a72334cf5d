#include "support/distant_network.hpp"

#include "support/packet_router.hpp"
#include "support/process.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>

namespace redlock::test {

namespace {

constexpr const char* client_address = "10.77.0.1";
constexpr const char* device = "distant";

[[noreturn]] void give_up(const char* what) {
    throw no_network(fmt::format("{}: {}", what, std::strerror(errno)));
}

file_descriptor namespace_of_this_thread() {
    file_descriptor found(::open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC));
    if (!found) give_up("/proc/thread-self/ns/net");
    return found;
}

void enter(const file_descriptor& network) {
    if (::setns(network.get(), CLONE_NEWNET) != 0) give_up("setns");
}

void ip(std::vector<std::string> words) {
    words.insert(words.begin(), "ip");
    process command(words, {});
    if (command.wait(std::chrono::seconds(10)) != 0)
        throw no_network(fmt::format("ip {} {} fails", words[1], words[2]));
}

file_descriptor tunnel() {
    file_descriptor made(::open("/dev/net/tun", O_RDWR | O_CLOEXEC | O_NONBLOCK));
    if (!made) give_up("/dev/net/tun");
    ifreq wanted{};
    wanted.ifr_flags = IFF_TUN | IFF_NO_PI;
    std::strncpy(wanted.ifr_name, device, IFNAMSIZ - 1);
    if (::ioctl(made.get(), TUNSETIFF, &wanted) != 0) give_up("TUNSETIFF");
    return made;
}

/// A new namespace, which this thread is in, with a way out.
file_descriptor make_namespace(const std::vector<std::string>& own_addresses, file_descriptor& way_out) {
    if (::unshare(CLONE_NEWNET) != 0) give_up("unshare");
    way_out = tunnel();
    ip({"link", "set", "lo", "up"});
    ip({"link", "set", device, "up"});
    for (const std::string& address : own_addresses)
        ip({"address", "add", address + "/16", "dev", device});
    return namespace_of_this_thread();
}

} // namespace

distant_network::distant_network(std::vector<distance> ways) : before_(namespace_of_this_thread()) {
    std::vector<std::string> addresses;
    for (std::size_t i = 0; i < ways.size(); ++i)
        addresses.push_back(address(i));
    file_descriptor to_servers;
    file_descriptor to_clients;
    try {
        servers_ = make_namespace(addresses, to_servers);
        clients_ = make_namespace({client_address}, to_clients);
    } catch (...) {
        ::setns(before_.get(), CLONE_NEWNET);
        throw;
    }
    router_ = std::make_unique<packet_router>(std::move(to_clients), std::move(to_servers), std::move(ways));
}

distant_network::~distant_network() { ::setns(before_.get(), CLONE_NEWNET); }

std::size_t distant_network::size() const noexcept { return router_->size(); }

std::string distant_network::address(std::size_t way) const { return fmt::format("10.77.1.{}", way + 1); }

void distant_network::set(std::size_t way, const distance& d) { router_->set(way, d); }
void distant_network::cut(std::size_t way, bool there, bool back) { router_->cut(way, there, back); }

distant_network::among_servers::among_servers(distant_network& of) : network_(of) {
    enter(network_.servers_);
}
distant_network::among_servers::~among_servers() { ::setns(network_.clients_.get(), CLONE_NEWNET); }

} // namespace redlock::test
