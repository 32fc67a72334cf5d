#pragma once

#include "engines/redis/node/low_water.hpp"
#include "engines/redis/node/queue/output_buffer.hpp"
#include "engines/redis/node/server/handshake.hpp"
#include "engines/redis/resp/reader.hpp"
#include "network/transport/stream.hpp"
#include "time/instant.hpp"

#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace redlock::node {

class session;

/// All that lives and dies with one connection, from the first attempt to resolve its host. What is
/// outstanding on the stream holds it, so that a late end finds the buffers of its own connection and can
/// tell that the node has long had another.
struct connection final : network::stream_listener {
    connection(std::shared_ptr<session> of, std::shared_ptr<network::stream> over, const address& to,
               std::string_view client_name, handshake::wishes wanted, const resp::limits& replies)
        : user(std::move(of)),
          wire(std::move(over)),
          input(replies),
          greeting(to, client_name, wanted),
          only_listens(wanted.only_resp2) {}

    void on_connected(error_code ec) override;
    void on_read(error_code ec, std::size_t n) override;
    void on_writable(error_code ec) override;

    const std::shared_ptr<session> user; ///< which lets go of its connection before it ends
    const std::shared_ptr<network::stream> wire;
    low_water mark; ///< of the wire
    resp::reader input;
    std::span<char> space; ///< what the read under way writes to
    output_buffer output;
    handshake greeting;
    const bool only_listens;
    time::instant greeting_began{};
    bool greeted = false;          ///< the handshake is complete
    bool confirmed = false;        ///< a subscription was, as it should be
    bool listens = false;          ///< to one more channel than before the last read
    bool blocked = false;          ///< the socket takes no more for now, or never will
    bool heard = false;            ///< bytes have come
    const char* foreign = nullptr; ///< what the first bytes are, if that is known and not RESP
};

} // namespace redlock::node
