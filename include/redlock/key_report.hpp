#pragma once

#include <redlock/detail/language.hpp>
#include <redlock/error.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace redlock {

/// What one node says about a key.
struct node_key_report {
    std::string node;                 ///< address without user and password
    boost::system::error_code error;  ///< why the node's answer is missing; no error when it answered
    std::optional<std::string> value; ///< the token of the holder; nothing when the key is free there
    std::optional<std::chrono::milliseconds>
        remaining;                      ///< PTTL; nothing when the key is free or never expires
    std::optional<std::uint64_t> fence; ///< the key's fencing counter; nothing when there is none
    /// How many connections listen for changes of the key: one for each client that waits for it and is told
    /// by keyspace events. Nothing when the user must not ask (`PUBSUB NUMSUB`).
    std::optional<std::uint64_t> listeners;
    /// "redis", "valkey"; empty while the server has not said so, as where it was never reached.
    std::string product;
    std::string version; ///< of the product, such as "7.0.15"
};

/// What all nodes say about a key, in the order of `config::nodes`. The answers were not taken at one
/// instant.
struct key_report {
    std::string key;                    ///< with the prefix, as it stands in Redis
    std::vector<node_key_report> nodes; ///< one for each of `config::nodes`
    std::optional<std::string> holder;  ///< the value that a majority of all nodes agrees on
    /// How many clients wait for the key, at least: the most listeners that a node has. However many callers
    /// of one client wait, it listens once; a client that waits by `CLIENT TRACKING` or by trying cannot be
    /// seen. Nothing when no node could tell.
    std::optional<std::uint64_t> waiting;
};

} // namespace redlock
