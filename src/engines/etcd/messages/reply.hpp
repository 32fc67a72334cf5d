#pragma once

#include "engines/etcd/messages/fault.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace redlock::etcd::messages {

/// Counts what a cluster has written. 0 or more.
using revision = std::int64_t;
/// A lease of the server; 0 is none.
using lease_id = std::int64_t;

/// Who answered, and as of which state of the cluster.
struct response_header {
    std::uint64_t cluster_id = 0;
    std::uint64_t member_id = 0;
    messages::revision revision = 0;
    std::uint64_t raft_term = 0;

    bool operator==(const response_header&) const = default;
};

/// A message of the server. The header is the outermost one: those of the answers within a transaction hold a
/// revision from before it, and are not read.
template <class Content>
struct reply {
    response_header header{};
    Content content{};
};

/// A key as it is in the store.
struct key_value {
    std::string key{}; ///< to `longest_key` bytes
    revision created = 0;
    revision modified = 0;
    std::int64_t version = 0; ///< how often it was put since it was created; 0 where it is deleted
    std::string value{};      ///< to `longest_value` bytes
    lease_id lease = 0;

    bool operator==(const key_value&) const = default;
};

} // namespace redlock::etcd::messages
