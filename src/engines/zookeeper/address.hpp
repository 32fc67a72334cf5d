#pragma once

#include "network/destination.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::zookeeper {

inline constexpr std::size_t most_servers = 15;
inline constexpr std::size_t longest_root = 200;
inline constexpr std::string_view usual_root = "/redlock";
inline constexpr std::uint16_t usual_port = 2181;

/// `host:port`, with an IPv6 address in brackets.
std::string name_of(const network::destination& d);

/// Where an ensemble is, how to log in there, and where its locks are.
struct address {
    std::vector<network::destination> servers; ///< 1 to `most_servers`, each another one
    std::string root{usual_root};              ///< path of the folder of all keys
    std::string user{};                        ///< empty where nobody logs in
    std::string password{};

    /// `zookeeper://host:port,…/root`, printable, without user and password.
    std::string name() const;
};

/// Understands
///
///     zookeeper://[user[:password]@]host[:port][,host[:port]…][/root]
///
/// where all but ports may be percent-encoded, reserved characters of user and password must be, and an IPv6
/// address stands in brackets. Throws std::system_error with `errc::invalid_uri`, or with
/// `errc::duplicate_node` where a server stands there twice, and a sentence that quotes nothing of the URI.
address parse_address(std::string_view uri);

} // namespace redlock::zookeeper
