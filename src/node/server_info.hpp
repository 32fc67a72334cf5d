#pragma once

#include "resp/reply.hpp"

#include <chrono>
#include <string>
#include <string_view>

namespace redlock::node {

/// What a server says of itself when a connection begins. A field the server did not tell, or was not allowed
/// to tell, is empty. The words are the server's own and are not to be trusted further than the server is.
struct server_info {
    std::string product;             ///< "redis" or "valkey"
    std::string version;             ///< of the product, such as "7.0.15"
    std::string role;                ///< "master" or "replica"
    std::string mode;                ///< "standalone", "sentinel" or "cluster"
    std::string run_id;              ///< changes with every start of the server process
    std::chrono::seconds uptime{-1}; ///< of the server process; −1 when unknown
    unsigned protocol = 3;           ///< spoken on this connection; only 3 carries pushes
    unsigned database = 0;           ///< selected on this connection
};

/// Takes over what the map (RESP3) or flat array (RESP2) that answers `HELLO` says. Returns false when the
/// reply is neither.
bool read_hello(const resp::reply& reply, server_info& info);

/// Takes over what a reply to `INFO` says; sections and lines that mean nothing here are passed over.
void read_info(std::string_view text, server_info& info);

} // namespace redlock::node
