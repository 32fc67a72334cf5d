#pragma once

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
};

/// What all nodes say about a key, in the order of `config::nodes`. The answers were not taken at one
/// instant.
struct key_report {
    std::string key;                    ///< with the prefix, as it stands in Redis
    std::vector<node_key_report> nodes; ///< one for each of `config::nodes`
    std::optional<std::string> holder;  ///< the value that a majority of all nodes agrees on
};

} // namespace redlock
