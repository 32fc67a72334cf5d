#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace redlock::postgresql {

/// Where a database is, as `postgresql://…` says it.
struct address {
    using parameter = std::pair<std::string, std::string>; ///< of libpq: keyword and value
    struct place {
        std::string host; ///< a name, a numeric address, or the folder of a Unix socket
        std::string port;

        bool is_folder() const noexcept { return host.starts_with('/') || host.starts_with('@'); }
    };

    std::vector<parameter> parameters; ///< all but those of the place
    std::vector<place> places;         ///< 1 to 16: whichever takes writes is used
    std::string name;                  ///< `postgresql://host:port/database`, without user and password
    std::string user;
    std::string password;
    bool locks_are_sessions = false; ///< advisory locks rather than rows: `redlock=session`

    /// Whether the text has the password in it.
    bool reveals_secret(std::string_view text) const noexcept {
        return !password.empty() && text.find(password) != text.npos;
    }
};

/// What libpq takes, and the parameter `redlock`: what a lock is, a row of a table (`rows`) or a lock of the
/// session (`session`). Throws std::system_error with `invalid_uri` and a text without the password.
address parse_address(const std::string& uri);

} // namespace redlock::postgresql
