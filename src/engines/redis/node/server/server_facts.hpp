#pragma once

#include "engines/redis/node/server/server_info.hpp"
#include "engines/redis/resp/reply.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace redlock::node {

/// What `INFO` says beyond `server_info`, of interest only to who examines a server. What was not told is
/// empty.
struct server_facts {
    std::string master_host; ///< of a replica
    std::string master_port;
    std::optional<bool> append_only;
    std::optional<bool> memory_is_limited;
};

/// Takes over what a reply to `INFO` says; sections and lines that mean nothing here are passed over.
void read_facts(std::string_view info, server_facts& facts);

/// The value in a reply to `CONFIG GET` of one parameter, an array or a map; nothing when it holds none, or
/// is an error.
std::optional<std::string> read_setting(const resp::reply& reply);

} // namespace redlock::node
