#pragma once

#include "engines/redis/node/address.hpp"
#include "engines/redis/node/server/server_info.hpp"
#include "engines/redis/resp/reply.hpp"

#include <redlock/error.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::node {

/// Logs in on a fresh connection: `HELLO 3` with user, password and client name, `SELECT` and `INFO`
/// in one write. A server that does not know `HELLO` or RESP3 gets `AUTH` and `CLIENT SETNAME` in a second
/// write, and the connection speaks RESP2 from then on.
///
/// What a user may be forbidden without harm is done without: `HELLO`, the client's name, `INFO`. It fails
/// with
/// - `authentication_failed` when user or password are wrong, or are wanted and not given,
/// - `permission_denied` when the user may not select the database, or the server refuses this machine
/// altogether,
/// - `node_unavailable` when the server cannot serve for the moment (it loads its data, it has too many
/// clients, …),
/// - `server_error` when it refuses the database for any other reason, such as its number,
/// - `protocol_error` when it answers what Redis never does.
///
/// Does no I/O: it appends commands to the output it is given and is shown the replies. Not thread-safe.
class handshake {
public:
    enum class progress : std::uint8_t { pending, complete, failed };

    /// What else than the address makes a difference.
    struct wishes {
        bool only_resp2 = false; ///< do not try RESP3
        bool only_resp3 = false; ///< fail where the server does not speak it, with `protocol_error`
        bool clock = false;      ///< ask for the server's time of day
    };

    /// Takes user, password and database of `to`; `client_name` may be empty.
    handshake(const address& to, std::string_view client_name, wishes wanted);

    /// Others than those of the address. Before `begin`.
    void log_in_as(std::string_view user, std::string_view password) {
        user_ = user;
        password_ = password;
    }

    /// Appends the first commands. Throws std::bad_alloc.
    void begin(std::string& out);

    /// Takes the next reply, and may append more commands. Not to be called after `complete` or `failed`.
    /// Throws std::bad_alloc.
    progress take(const resp::reply& reply, std::string& out);

    errc failure() const noexcept { return failure_; }
    /// What went wrong, with the server's own words where they cannot hold the password; never the password.
    const std::string& problem() const noexcept { return problem_; }

    const server_info& server() const noexcept { return server_; }
    /// Whether the connection speaks RESP3, that is, can carry pushes.
    bool resp3() const noexcept { return resp3_; }

private:
    enum class command : std::uint8_t { hello, auth, set_name, select, info, time };

    void begin_resp2(std::string& out);
    void ask_of_server(std::string& out);
    void ask(std::string& out, command c);
    progress fail(errc why, std::string problem);
    progress judge(command c, const resp::reply& reply);
    progress judge_error(command c, std::string_view words);
    progress judge_value(command c, const resp::reply& reply);
    std::string quote(std::string_view words) const;

    std::string user_;
    std::string password_;
    std::string client_name_;
    unsigned database_;
    std::vector<command> asked_; ///< in the order of the replies to come
    std::size_t answered_ = 0;   ///< of `asked_`
    bool only_resp3_;
    bool resp3_; ///< as long as the server has not said otherwise
    bool wants_clock_;
    errc failure_{};
    std::string problem_;
    server_info server_;
};

} // namespace redlock::node
