#pragma once

#include <redlock/config.hpp>
#include <redlock/detail/language.hpp>
#include <redlock/error.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace redlock {

/// What a right on a node is needed for.
enum class purpose : std::uint8_t {
    locking,         ///< every lock
    recognition,     ///< to see a replica, one server under two addresses, a restart
    keyspace_events, ///< `wakeup::keyspace_events`
    queues,          ///< to be served in order, and told at once with `wakeup::automatic`
    client_tracking, ///< `wakeup::client_tracking`
    fencing,         ///< `lock_options::fencing`
    restart_guard,   ///< `config::restart_guard`
    configuration,   ///< `config::configure_servers`
    reading          ///< `mode::read` and `mode::write`
};

/// Something that the user of a node may not do, or that the server cannot do.
struct missing_right {
    purpose needed_for = purpose::locking; ///< what does not work for want of it
    std::string rule;                      ///< what `ACL SETUSER` would have to add: "+set", "~lock:*"
    bool no_command = false; ///< the server has no command of this name: it is too old, or renamed it
};

/// A server's time of day against that of this machine. The true difference lies within `uncertainty`, half
/// of a round trip, to either side.
struct clock_offset {
    std::chrono::nanoseconds ahead{0};       ///< negative when the server's clock is behind
    std::chrono::nanoseconds uncertainty{0}; ///< how far that may be off
};

/// What an examination found out about one node. What the user may not ask, and what came too late, is empty.
/// Words of the server are cut to 64 printable characters.
struct node_examination {
    std::string node;                ///< address without user and password
    boost::system::error_code error; ///< why the examination could not begin, or broke off
    std::string error_text;          ///< the same in words that name the node

    std::string product;                        ///< "redis", "valkey"
    std::string version;                        ///< of the product, such as "7.0.15"
    std::string mode;                           ///< "standalone", "cluster", "sentinel"
    std::string role;                           ///< "master" or "replica"
    std::string master;                         ///< of a replica: host:port, as the replica calls it
    std::string run_id;                         ///< changes with every start of the server
    std::string replication_id;                 ///< a master and its replicas have the same
    unsigned protocol = 0;                      ///< 3 or 2, whichever the server speaks with this user
    std::optional<std::chrono::seconds> uptime; ///< of the server process
    /// Its place in the list is that of an earlier node which is the same server.
    std::optional<std::size_t> same_server_as;
    /// The place of its master, or of one of its master's other replicas, in the list.
    std::optional<std::size_t> replica_of;

    std::optional<bool> snapshots;   ///< whether it saves its data from time to time (`save`)
    std::optional<bool> append_only; ///< whether it logs every write
    std::string append_fsync;        ///< when that log is made to reach the disk: "always", "everysec", "no"
    std::string eviction_policy;     ///< `maxmemory-policy`
    std::optional<bool> memory_is_limited;      ///< by `maxmemory`: only then does the policy matter
    std::optional<std::string> keyspace_events; ///< the flags of `notify-keyspace-events`

    // Seen from here, scheduling delays of this process included.
    std::optional<std::chrono::nanoseconds> least_round_trip;  ///< of nine
    std::optional<std::chrono::nanoseconds> median_round_trip; ///< of the same
    std::optional<clock_offset> clock;                         ///< by the quickest of them
    /// How it tells waiting callers of this client that a key became free; `automatic` when it was not found
    /// out.
    redlock::wakeup wakeup = redlock::wakeup::automatic;
    /// Why this client takes no votes from it, although it could be examined: `read_only` for a replica,
    /// `duplicate_node`, `node_quarantined`, …
    boost::system::error_code refusal;
    std::string refusal_text; ///< the same in words that name the node

    std::vector<missing_right> missing_rights; ///< none twice for one purpose

    /// Of a group behind Sentinels: host and port of its master, as they name it. Empty for other nodes.
    std::string group_master;
    /// So many replicas have to keep up with a master, or it takes no writes (`min-replicas-to-write`).
    std::optional<unsigned> replicas_needed;
    /// A replica keeps up that has been heard of within that time (`min-replicas-max-lag`).
    std::optional<std::chrono::seconds> replicas_longest_lag;
};

} // namespace redlock
