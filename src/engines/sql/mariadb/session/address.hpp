#pragma once

#include "engines/sql/session/address.hpp"

#include <cstdint>
#include <string>

namespace redlock::mariadb {

/// How a connection is encrypted.
enum class tls_mode : std::uint8_t {
    disabled,
    required,       ///< whoever the server is
    verify_ca,      ///< its certificate is signed by one of `ssl-ca`
    verify_identity ///< likewise, and is that of the host in the address
};

/// Where a database is, as `mysql://…` or `mariadb://…` says it.
struct address : sql::address {
    std::string database;
    tls_mode tls = tls_mode::disabled;
    // Paths of files in PEM; may be empty.
    std::string authorities; ///< `ssl-ca`
    std::string certificate; ///< `ssl-cert`
    std::string key;         ///< `ssl-key`
};

/// `mysql://[user[:password]@]host[:port][,host[:port]…]/database[?parameter=value[&…]]`, where all but ports
/// may be percent-encoded, reserved characters of user and password must be, and an IPv6 address stands in
/// brackets. Parameters: `socket`, the path of a Unix socket in the place of the hosts, `ssl-mode`, `ssl-ca`,
/// `ssl-cert`, `ssl-key`. Throws std::system_error with `invalid_uri` and a text without the password.
address parse_address(const std::string& uri);

} // namespace redlock::mariadb
