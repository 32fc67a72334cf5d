#pragma once

#include "network/destination.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::etcd {

inline constexpr std::size_t most_endpoints = 15;
inline constexpr std::size_t longest_prefix = 200;
inline constexpr std::string_view usual_prefix = "redlock";
inline constexpr std::uint16_t usual_port = 2379;

/// A member of the cluster, as clients reach it.
struct endpoint {
    std::string host; ///< a name, or an IP address in its canonical form without brackets
    std::uint16_t port = usual_port;

    network::destination where() const { return {host, port}; }
    /// `host:port`, with an IPv6 address in brackets.
    std::string name() const;

    bool operator==(const endpoint&) const = default;
};

/// Where an etcd cluster is, how to log in there, and where its locks are.
struct address {
    bool is_encrypted = false;
    std::vector<endpoint> endpoints;  ///< 1 to `most_endpoints`, each another one
    std::string prefix{usual_prefix}; ///< of all keys, without slashes around it; 1 to `longest_prefix` bytes
    std::string user;                 ///< empty where the cluster asks for none
    std::string password;             ///< without a user there is none

    /// `etcd://host:port,…/prefix` or `etcds://…`: a URI that leads to the same place, printable, without
    /// user and password.
    std::string name() const;
    /// Whether the text has the password in it.
    bool reveals_secret(std::string_view text) const noexcept;

    bool operator==(const address&) const = default;
};

/// Understands
///
///     etcd://[user[:password]@]host[:port][,host[:port]…][/prefix]      etcds://… for TLS
///
/// where all but ports may be percent-encoded, reserved characters of user and password must be, and an IPv6
/// address stands in brackets. Throws std::system_error with `errc::invalid_uri`, or with
/// `errc::duplicate_node` where an endpoint stands there twice, and a sentence that says which part is wrong
/// and what it may be. It quotes nothing of the URI, since a password that was not encoded properly can turn
/// up in any part.
address parse_address(std::string_view uri);

} // namespace redlock::etcd
