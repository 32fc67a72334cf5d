#pragma once

#include "engines/redis/resp/reply.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace redlock::node {

/// The text with nothing in it that a terminal would take for a command, and no longer than any honest word.
std::string printable(std::string_view text);

/// What a server says of itself when a connection begins. A field the server did not tell, or was not allowed
/// to tell, is empty. The words are the server's own, made `printable`, and are not to be trusted further
/// than the server is.
struct server_info {
    std::string product; ///< "redis" or "valkey"
    std::string version; ///< of the product, such as "7.0.15"
    std::string role;    ///< "master" or "replica"
    std::string mode;    ///< "standalone", "sentinel" or "cluster"
    std::string run_id;  ///< changes with every start of the server process
    std::string
        replication_id; ///< of the data: a master has that of its replicas, and a new one when it becomes it
    bool promoted = false;           ///< it has data of another master's, or of its own from before a restart
    std::chrono::seconds uptime{-1}; ///< up to 100 years; −1 when unknown
    bool loading = false;            ///< its data, and refuses most commands until it has them
    std::string eviction_policy;     ///< `maxmemory-policy`
    bool memory_is_limited = false;  ///< by `maxmemory`: only then does the policy matter
    std::optional<std::chrono::microseconds> clock; ///< its time of day, where that was asked for
    unsigned protocol = 3;                          ///< spoken on this connection; only 3 carries pushes
    unsigned database = 0;                          ///< selected on this connection
};

/// Whether the server may throw away keys that have a life, as locks and fences have, when memory runs short.
inline bool may_evict_locks(const server_info& server) noexcept {
    return server.memory_is_limited && !server.eviction_policy.empty() &&
           server.eviction_policy != "noeviction";
}

/// Takes over what the map (RESP3) or flat array (RESP2) that answers `HELLO` says. Returns false when the
/// reply is neither.
bool read_hello(const resp::reply& reply, server_info& info);

/// What a reply to `TIME` says, which fits into nanoseconds; nothing when it is none.
std::optional<std::chrono::microseconds> read_time(const resp::reply& reply) noexcept;

/// Takes over what a reply to `INFO` says; sections and lines that mean nothing here are passed over.
void read_info(std::string_view text, server_info& info);

} // namespace redlock::node
