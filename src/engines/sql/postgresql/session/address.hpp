#pragma once

#include "engines/sql/session/address.hpp"

#include <string>
#include <utility>
#include <vector>

namespace redlock::postgresql {

/// Where a database is, as `postgresql://…` says it.
struct address : sql::address {
    using parameter = std::pair<std::string, std::string>; ///< of libpq: keyword and value

    std::vector<parameter> parameters; ///< all but those of the place
};

/// What libpq takes, and the parameter `redlock`: what a lock is, a row of a table (`rows`) or a lock of the
/// session (`session`). Throws std::system_error with `invalid_uri` and a text without the password.
address parse_address(const std::string& uri);

} // namespace redlock::postgresql
