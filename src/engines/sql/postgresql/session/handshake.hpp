#pragma once

#include "engines/sql/answer.hpp"
#include "engines/sql/failover_guard.hpp"
#include "engines/sql/postgresql/session/statements.hpp"

#include <redlock/error.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace redlock::postgresql {

/// What there is to know of a server behind a connection.
struct server {
    std::string version;
    std::int64_t process = 0; ///< the one that serves the connection, and when it began
    std::int64_t began = 0;
    std::uint32_t table = 0;   ///< PostgreSQL's number of the table of locks
    bool keeps_labels = false; ///< that table has room for them
    bool speaks_utf8 = false;
    bool is_standby = false;
    sql::server_facts facts{};
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
        std::string text{}; ///< of a refusal: continues the name of the database
    };

    /// `before` is the server of the connection before, if there was one. `has_label`: the client wants one
    /// to stand in the rows, so room is made for it where that is missing and allowed.
    /// `locks_are_sessions`: there is no table, and no timeline to be noted in it; what stands for the table
    /// is the sequence.
    explicit handshake(const std::optional<server>& before, bool has_label = false,
                       bool locks_are_sessions = false)
        : before_(before), has_label_(has_label), locks_are_sessions_(locks_are_sessions) {}

    step begin(core::nanoseconds patience);
    step answered(const std::vector<sql::answer>& all);
    const server& found() const noexcept { return found_; }

private:
    enum class phase : std::uint8_t { greeting, creating, looking, adding, preparing, noting, ending };

    step greeted(const sql::answer& told);
    step go_on_with_table();
    step prepare();
    step noted(const sql::answer& told);
    step end_before();
    step send(phase next, statements all);
    step ended(const sql::answer& told);

    const std::optional<server> before_;
    const bool has_label_;
    const bool locks_are_sessions_;
    bool may_add_labels_ = false; ///< to the table, which has none
    server found_;
    core::nanoseconds patience_{};
    phase phase_ = phase::greeting;
    bool created_ = false;
    unsigned looks_ = 0; ///< at what is to end
};

/// What an error of the server means for those who asked.
errc meaning_of(const sql::answer& failed) noexcept;
/// Continues the name of the database.
std::string words_of(const sql::answer& failed);

} // namespace redlock::postgresql
