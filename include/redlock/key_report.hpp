#pragma once

#include <redlock/detail/language.hpp>
#include <redlock/error.hpp>
#include <redlock/leader_info.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace redlock {

/// One of those who read a key, as a node knows it.
struct reader_report {
    std::string value;                   ///< the token of the reader, with what stands behind it
    std::chrono::milliseconds remaining; ///< until its entry ends, unless it is renewed
    std::string label{};                 ///< who it is, printable (`config::holder_label`); empty if unsaid
};

/// What one node says about a key.
struct node_key_report {
    std::string node;                ///< address without user and password
    boost::system::error_code error; ///< why the node's answer is missing; no error when it answered
    /// The token of the holder, with what stands behind it; nothing when the key is free there.
    std::optional<std::string> value;
    std::optional<std::chrono::milliseconds>
        remaining;                      ///< PTTL; nothing when the key is free or never expires
    std::optional<std::uint64_t> fence; ///< the key's fencing counter; nothing when there is none
    /// How many connections listen for changes of the key: one for each client that waits for it and is told
    /// by keyspace events. Nothing when the user must not ask (`PUBSUB NUMSUB`).
    std::optional<std::uint64_t> listeners;
    /// "redis", "valkey"; empty while the server has not said so, as where it was never reached.
    std::string product;
    std::string version; ///< of the product, such as "7.0.15"
    /// Those who read it there (`mode::read`), at most 64: those whose entries end last. Nothing when the
    /// user must not ask, which takes a script.
    std::optional<std::vector<reader_report>> readers{};
    bool more_readers = false; ///< there are more than these
    std::string label{};       ///< who the holder is, printable (`config::holder_label`); empty if unsaid
};

/// What all nodes say about a key, in the order of `config::nodes`. The answers were not taken at one
/// instant.
struct key_report {
    std::string key;                    ///< with the prefix, as it stands in Redis
    std::vector<node_key_report> nodes; ///< one for each of `config::nodes`, then that of `config::backup`
    std::optional<std::string> holder;  ///< the value that a majority of all nodes agrees on
    /// How many clients wait for the key, at least: the most listeners that a node has. However many callers
    /// of one client wait, it listens once; a client that waits by `CLIENT TRACKING` or by trying cannot be
    /// seen. Nothing when no node could tell.
    std::optional<std::uint64_t> waiting;
    /// The tokens of those who read it on a majority of all nodes, as far as the nodes' lists go. Together
    /// with a holder: he waits until they have gone, in order to write.
    std::vector<std::string> readers{};
    /// What the leader has proclaimed last (`client::async_campaign`), of what the nodes told; nothing where
    /// nobody leads, or the user must not ask.
    std::optional<leader_info> leader{};
    /// Who the holder is, printable (`config::holder_label`); empty where there is none, or it has not said.
    std::string holder_label{};
    /// Whether the last of `nodes` is `config::backup`, which is not counted among the others: of a double
    /// lock the holder is whoever has a majority of those, or where nobody has, the key of the backup.
    bool with_backup = false;
};

} // namespace redlock
