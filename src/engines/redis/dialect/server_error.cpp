#include "engines/redis/dialect/server_error.hpp"

namespace redlock::redis {

errc meaning_of_server_error(std::string_view text) noexcept {
    struct meaning {
        std::string_view word;
        errc code;
    };
    static constexpr meaning meanings[] = {
        {"WRONGTYPE", errc::wrong_type},
        {"OOM", errc::out_of_memory},
        {"READONLY", errc::read_only},
        {"MISCONF", errc::read_only},
        {"NOREPLICAS", errc::read_only},
        {"NOPERM", errc::permission_denied},
        // In a script, where Redis 7.0 says no more, and 7.2 and Valkey another word.
        {"The user executing the script", errc::permission_denied},
        {"ACL failure", errc::permission_denied},
        {"NOAUTH", errc::authentication_failed},
        {"WRONGPASS", errc::authentication_failed},
        {"LOADING", errc::node_unavailable},
        {"MASTERDOWN", errc::node_unavailable},
        {"BUSY", errc::node_timeout},
    };
    const std::string_view first = text.substr(0, text.find(' '));
    for (const meaning& m : meanings)
        if (m.word == first) return m.code;
    // An error inside a script comes wrapped, with the command's own error somewhere in the text.
    for (const meaning& m : meanings)
        if (text.find(m.word) != std::string_view::npos) return m.code;
    return errc::server_error;
}

} // namespace redlock::redis
