#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace redlock::node {

/// Where a node is and how to log in there.
struct address {
    enum class transport : std::uint8_t { tcp, unix_socket, tls };

    transport via = transport::tcp;
    /// A name, or an IP address in its canonical form without brackets; empty for a Unix socket.
    std::string host;
    std::uint16_t port = 6379; ///< without meaning for a Unix socket
    std::string path;          ///< of the Unix socket; empty otherwise
    std::string user;          ///< empty for the server's default user
    std::string password;      ///< empty when there is none
    unsigned database = 0;     ///< 0 to 16 383

    /// `redis://host:port/database`, `rediss://…` or `unix:///path?db=N`: a URI that leads to the same place,
    /// without user and password.
    std::string name() const;

    bool operator==(const address&) const = default;
};

/// Understands one of
///
///     redis://[user[:password]@]host[:port][/database]       rediss://… for TLS
///     unix://[user[:password]@]/path[?db=database]
///
/// where everything may be percent-encoded, and reserved characters of user and password must be. Throws
/// std::system_error with `errc::invalid_uri` and a sentence that says which part is wrong and what it may
/// be. It quotes nothing of the URI, since a password that was not encoded properly can turn up in any part.
address parse_address(std::string_view uri);

/// Whether both addresses lead to one server: the same host, whatever the case of its letters, and port, or
/// the same socket path. Users, databases and encryption make no difference. Names are not resolved.
bool same_server(const address& a, const address& b) noexcept;

} // namespace redlock::node
