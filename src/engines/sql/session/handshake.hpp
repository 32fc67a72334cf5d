#pragma once

#include "core/instant.hpp"
#include "engines/sql/answer.hpp"
#include "engines/sql/failover_guard.hpp"
#include "engines/sql/session/statement.hpp"

#include <redlock/error.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace redlock::sql {

/// What there is to know of a server behind a connection.
struct server {
    std::string version{};
    std::int64_t process = 0; ///< the one that serves the connection, and when it began
    std::int64_t began = 0;
    std::string session{};       ///< instead of the two, where the client names its sessions
    std::uint32_t table = 0;     ///< the server's number of the table of locks, where it has any
    bool keeps_labels = false;   ///< that table has room for them
    bool keeps_prepared = false; ///< what the handshake prepared, where locks can do without
    bool speaks_utf8 = false;
    bool is_standby = false;
    server_facts facts{};
};

/// What is said over a new connection of the session of locks before the first lock: who the server is,
/// whether it takes writes, whether there is a table, and that nothing of the connection before is under way
/// any more. Told the answers, it says what to send next.
class handshake {
public:
    struct step {
        enum class kind : std::uint8_t {
            send,
            send_later, ///< somebody is at its end, which takes a moment
            done,
            refuse ///< the server
        };
        kind what;
        statements next{};
        errc why{};
        std::string text{};                        ///< of a refusal: continues the name of the database
        std::vector<std::string> missing_rights{}; ///< likewise, where that is why: what grants them
    };

    virtual ~handshake() = default;

    /// `patience`: no answer takes longer.
    virtual step begin(core::nanoseconds patience) = 0;
    virtual step answered(const std::vector<answer>& all) = 0;
    virtual const server& found() const noexcept = 0;
};

} // namespace redlock::sql
