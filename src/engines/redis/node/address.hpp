#pragma once

#include "network/destination.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::node {

/// A server on the network.
struct endpoint {
    std::string host; ///< a name, or an IP address in its canonical form without brackets
    std::uint16_t port = 0;

    /// `host:port`, with an IPv6 address in brackets.
    std::string name() const;

    bool operator==(const endpoint&) const = default;
};

/// Where a node is and how to log in there.
struct address {
    enum class transport : std::uint8_t { tcp, unix_socket, tls };

    transport via = transport::tcp;
    /// A name, or an IP address in its canonical form without brackets; empty for a Unix socket, for a group,
    /// whose master is where its Sentinels say, and for a cluster.
    std::string host;
    std::uint16_t port = 6379;       ///< without meaning for a Unix socket, and for a group
    std::string path;                ///< of the Unix socket; empty otherwise
    std::string user;                ///< empty for the server's default user
    std::string password;            ///< empty when there is none
    unsigned database = 0;           ///< 0 to 16 383
    std::string service;             ///< what the Sentinels call the group; empty for a server
    std::vector<endpoint> sentinels; ///< of the group; empty for a server
    std::vector<endpoint> members;   ///< some servers of a cluster; empty for a server

    /// A master with its replicas, behind Sentinels.
    bool is_group() const noexcept { return !sentinels.empty(); }
    /// Several masters that share the keys among them.
    bool is_cluster() const noexcept { return !members.empty(); }

    /// Of one server.
    network::destination where() const { return {host, port, path}; }

    /// `redis://host:port/database`, `rediss://…`, `redis+sentinel://host:port,…/service/database`,
    /// `redis+cluster://host:port,…` or `unix:///path?db=N`: a URI that leads to the same place, without user
    /// and password.
    std::string name() const;

    bool operator==(const address&) const = default;
};

/// Understands one of
///
///     redis://[user[:password]@]host[:port][/database]       rediss://… for TLS
///     unix://[user[:password]@]/path[?db=database]
///     redis+sentinel://[user[:password]@]host[:port][,host[:port]…]/service[/database]
///                                                            rediss+sentinel://… for TLS
///     redis+cluster://[user[:password]@]host[:port][,host[:port]…]
///                                                            rediss+cluster://… for TLS
///
/// where everything may be percent-encoded, and reserved characters of user and password must be. Throws
/// std::system_error with `errc::invalid_uri` and a sentence that says which part is wrong and what it may
/// be. It quotes nothing of the URI, since a password that was not encoded properly can turn up in any part.
address parse_address(std::string_view uri);

/// Whether both addresses lead to one server: the same host, whatever the case of its letters, and port, or
/// the same socket path, a group of the same name behind a Sentinel in common, or a cluster with a server in
/// common, that server included. Users, databases and
/// encryption make no difference. Names are not resolved.
bool same_server(const address& a, const address& b) noexcept;
bool same_server(const endpoint& a, const endpoint& b) noexcept;

} // namespace redlock::node
