#pragma once

#include "support/file_descriptor.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace redlock::test {

class packet_router;

/// The way to one server, and back.
struct distance {
    std::chrono::nanoseconds round_trip{0};
    std::chrono::nanoseconds jitter{0}; ///< up to that much more, each way
    double loss = 0;                    ///< probability of each packet, each way
    std::uint64_t bits_per_second = 0;  ///< each way; 0: no limit
};

/// Why there can be no such network here.
struct no_network : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Servers at a distance: two network namespaces of the system, one for this thread and one for servers, and
/// between them a router that delays, loses and holds up IP packets. What travels over it are the TCP
/// connections of the system, with all that these do about it. Made, used and destroyed in one thread, which
/// is in the namespace of the clients meanwhile. Needs root, /dev/net/tun and the `ip` command; throws
/// `no_network` where it lacks one.
class distant_network {
public:
    explicit distant_network(std::vector<distance> ways);
    distant_network(const distant_network&) = delete;
    distant_network& operator=(const distant_network&) = delete;
    ~distant_network();

    std::size_t size() const noexcept;
    /// Of the server behind that way, which listens on it.
    std::string address(std::size_t way) const;

    /// While it exists, this thread is where the servers are: what it starts listens there.
    class among_servers {
    public:
        explicit among_servers(distant_network& of);
        among_servers(const among_servers&) = delete;
        among_servers& operator=(const among_servers&) = delete;
        ~among_servers();

    private:
        distant_network& network_;
    };

    // From now on.
    void set(std::size_t way, const distance& d);
    /// Nothing gets there, or back, or both.
    void cut(std::size_t way, bool there, bool back);

private:
    file_descriptor before_;
    file_descriptor clients_;
    file_descriptor servers_;
    std::unique_ptr<packet_router> router_;
};

} // namespace redlock::test
