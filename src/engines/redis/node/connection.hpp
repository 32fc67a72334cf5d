#pragma once

#include "engines/redis/node/handshake.hpp"
#include "engines/redis/node/low_water.hpp"
#include "engines/redis/node/output_buffer.hpp"
#include "engines/redis/node/stream.hpp"
#include "engines/redis/resp/reader.hpp"
#include "time/instant.hpp"

#include <span>
#include <string_view>

namespace redlock::node {

/// All that lives and dies with one connection, from the first attempt to resolve its host. Handlers hold it,
/// so that a late one finds the buffers of its own connection and can tell that the node has long had
/// another.
struct connection {
    connection(const stream::strand& on, const address& to, std::string_view client_name,
               handshake::wishes wanted)
        : wire(on), greeting(to, client_name, wanted), only_listens(wanted.only_resp2) {}

    stream wire;
    low_water mark; ///< of the wire
    resp::reader input;
    std::span<char> space; ///< what the read under way writes to
    output_buffer output;
    handshake greeting;
    const bool only_listens;
    time::instant greeting_began{};
    bool greeted = false;   ///< the handshake is complete
    bool confirmed = false; ///< a subscription was, as it should be
    bool listens = false;   ///< to one more channel than before the last read
    bool blocked = false;   ///< the socket takes no more for now, or never will
    bool heard = false;     ///< bytes have come
    bool http = false;      ///< the first of them were those of an HTTP response
};

} // namespace redlock::node
