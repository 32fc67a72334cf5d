#pragma once

#include "support/redis_server.hpp"

#include <cstddef>
#include <deque>
#include <optional>
#include <string>

namespace redlock::test {

/// How a group is started.
struct group_options {
    std::string service = "group";
    /// Of the servers; the Sentinels have none.
    std::string password{};
    /// Further lines of redis.conf of the servers, and of the Sentinels.
    std::vector<std::string> server_directives{};
    std::vector<std::string> sentinel_directives{};
    std::size_t sentinels = 3;
    /// Silence after which a Sentinel takes the master for down.
    std::chrono::milliseconds down_after{500};
    /// Of all of them, also among each other.
    std::optional<redis_tls> tls{};
};

/// A real master with a replica, and Sentinels that watch over them. Not thread-safe.
class watched_group {
public:
    /// Starts all of them and does not wait for the Sentinels: `await_ready` must follow. For starting
    /// several at once.
    explicit watched_group(group_options options = {});

    /// Waits until every Sentinel knows the replica and the other Sentinels.
    void await_ready();

    /// That names these Sentinels; all when there are no numbers.
    std::string uri(std::initializer_list<std::size_t> sentinels = {}) const;
    const std::string& service() const noexcept { return options_.service; }

    /// The first was made the master, the second its replica.
    redis_server& server(std::size_t index) { return servers_.at(index); }
    redis_server& sentinel(std::size_t index) { return sentinels_.at(index); }
    std::size_t sentinels() const noexcept { return sentinels_.size(); }

    /// Has the Sentinels make the other one master, which is there. Returns before that has happened.
    void begin_fail_over();
    /// SIGKILL.
    void kill_sentinel(std::size_t index);
    /// Whether all Sentinels that live name this one.
    bool leads(const redis_server& server);

private:
    bool is_complete(redis_server& sentinel);
    std::string master_port(redis_server& sentinel);

    group_options options_;
    std::deque<redis_server> servers_;
    std::deque<redis_server> sentinels_;
    std::vector<bool> killed_;
};

} // namespace redlock::test
