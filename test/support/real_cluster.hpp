#pragma once

#include "support/redis_server.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace redlock::test {

/// How a cluster is started.
struct cluster_options {
    std::size_t masters = 3;
    /// Each slot has another owner than the one before it.
    bool scattered = false;
    std::size_t replicas = 0; ///< of the first masters, one each
    std::string password{};
    /// Further lines of redis.conf.
    std::vector<std::string> directives{};
    /// Silence after which its fellows take a master for down.
    std::chrono::milliseconds node_timeout{1000};
    /// Of all of them, also among each other.
    std::optional<redis_tls> tls{};
};

/// A real Redis Cluster, whose masters have as many slots each. Not thread-safe.
class real_cluster {
public:
    /// Starts the servers and waits until all of them agree on the slots.
    explicit real_cluster(cluster_options options = {});

    /// That names these servers, masters first; all masters when there are no numbers.
    std::string uri(std::initializer_list<std::size_t> servers = {}) const;
    redis_server& master(std::size_t index) { return servers_.at(index); }
    redis_server& replica(std::size_t index) { return servers_.at(options_.masters + index); }
    std::size_t servers() const noexcept { return servers_.size(); }

    /// The number of the master that had the slot of this key at first.
    std::size_t first_owner(const std::string& key);
    /// Moves a slot with its keys, as `redis-cli --cluster reshard` does; in two steps.
    void begin_migration(std::uint16_t slot, std::size_t from, std::size_t to);
    void end_migration(std::uint16_t slot, std::size_t from, std::size_t to);
    /// Keys of the slot that go before the others do.
    void migrate_keys(std::uint16_t slot, std::size_t from, std::size_t to);
    std::uint16_t slot_of(const std::string& key);
    /// How many servers have this key.
    std::size_t holders(const std::string& key);

private:
    std::size_t owner_at_first(std::size_t slot) const noexcept;
    void deal_out(std::size_t master);
    bool agrees(std::size_t server);
    void require_ok(std::size_t server, const std::vector<std::string>& command);

    const cluster_options options_;
    std::deque<redis_server> servers_;
    std::vector<std::string> ids_;
};

} // namespace redlock::test
