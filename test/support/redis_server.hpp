#pragma once

#include "support/process.hpp"
#include "support/redis_connection.hpp"
#include "support/temporary_folder.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::test {

/// What a server with TLS shows, and wants to see: files in PEM.
struct redis_tls {
    std::string certificate;
    std::string key;
    std::string authority;     ///< of clients
    bool asks_clients = false; ///< for a certificate of that authority
    bool beside_plain = false; ///< on a port of its own, `tls_uri`
};

/// What a server is started with.
struct redis_options {
    /// Further lines of redis.conf: `maxmemory 1mb`, `user alice on >secret ~* +@all`, `rename-command EVAL
    /// ""`, `replicaof 127.0.0.1 7000`, …
    std::vector<std::string> directives{};
    /// Password of the default user; empty for none.
    std::string password{};
    /// Keep every acknowledged write (`appendfsync always`), so that a restart finds its data again.
    bool persistent = false;
    /// On its port it speaks TLS alone, unless that has another. The Unix socket stays without.
    std::optional<redis_tls> tls{};
    /// Run as a Sentinel, which watches over what the directives say.
    bool sentinel = false;
};

/// A real redis-server, or what `REDLOCK_TEST_SERVER` in the environment names instead, on a free port of
/// 127.0.0.1 and on a Unix socket, with a temporary folder of its own.
/// It is a child of this process and of the thread that constructed it (see `process`). Not thread-safe.
class redis_server {
public:
    /// Starts the server and waits until it answers. Throws when it does not, with the end of its log.
    explicit redis_server(redis_options options = {});

    /// Starts the server without waiting for it: `await_ready` must follow. For starting several at once.
    struct without_waiting {};
    redis_server(redis_options options, without_waiting);

    redis_server(const redis_server&) = delete;
    redis_server& operator=(const redis_server&) = delete;

    /// Waits until the server answers; starts it again on another port when somebody was faster at the first.
    void await_ready();

    int pid() const noexcept { return process_->pid(); }
    std::uint16_t port() const noexcept { return port_; }
    std::string uri() const;
    /// With user and password as they shall stand in the address; an empty user is left out.
    std::string uri(std::string_view user, std::string_view password) const;
    std::string unix_uri() const;
    /// Of one that speaks TLS beside plain connections.
    std::string tls_uri() const;

    void stop() { process_->stop(); }
    void resume() { process_->resume(); }
    /// SIGKILL. The port is free and refuses connections afterwards.
    void kill() noexcept;
    /// Kills the server and removes what it kept.
    void lose_data();
    /// Kills the server and starts it again on the same port: without data, unless it is persistent.
    void restart();

    /// Runs a command over a connection of its own, as the default user; see `redis_connection::command`.
    redis_answer command(const std::vector<std::string>& arguments);
    /// Likewise one that may be executed twice: once more if the server ended the connection, as one does
    /// that changes its role.
    redis_answer repeatable(const std::vector<std::string>& arguments);

    /// Value of a key, or nothing when it does not exist. Throws when the server answers with an error.
    std::optional<std::string> get(const std::string& key);
    bool exists(const std::string& key);
    /// Life left to a key; negative when it does not exist or does not expire.
    std::chrono::milliseconds pttl(const std::string& key);
    std::int64_t key_count();
    /// The value of a field of INFO, such as `connected_clients`; throws when there is none of this name.
    std::string info(const std::string& field);
    /// "redis" or "valkey", which gives the version of a Redis besides its own.
    std::string product();
    std::string version();

private:
    bool is_encrypted() const noexcept { return options_.tls && !options_.tls->beside_plain; }
    const char* scheme() const noexcept { return is_encrypted() ? "rediss" : "redis"; }
    std::string socket_path() const { return folder_.path() / "s"; }
    std::string configuration() const;
    std::string log() const;
    void launch();
    bool answers();
    redis_answer checked(const std::vector<std::string>& arguments);

    redis_options options_;
    temporary_folder folder_;
    std::uint16_t port_ = 0;
    std::uint16_t second_port_ = 0; ///< for TLS beside plain connections
    bool port_is_fixed_ = false;
    std::optional<process> process_;
    std::optional<redis_connection> connection_;
};

} // namespace redlock::test
