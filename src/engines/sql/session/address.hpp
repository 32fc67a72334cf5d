#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace redlock::sql {

/// Where a database is: what all kinds of them have in common.
struct address {
    struct place {
        std::string host; ///< a name, a numeric address, or the path of a Unix socket or of its folder
        std::string port;

        bool is_path() const noexcept { return host.starts_with('/') || host.starts_with('@'); }
    };

    std::vector<place> places; ///< 1 to 16: whichever takes writes is used
    std::string name;          ///< `scheme://host:port/database`, without user and password
    std::string user;
    std::string password;
    bool locks_are_sessions = false; ///< locks of a session rather than rows

    /// Whether the text has the password in it.
    bool reveals_secret(std::string_view text) const noexcept {
        return !password.empty() && text.find(password) != text.npos;
    }
};

} // namespace redlock::sql
