#pragma once

#include "engines/redis/node/cluster/slot_council.hpp"
#include "engines/redis/resp/reply.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace redlock::node {

/// What a reply to `CLUSTER SLOTS` says; nothing where it is none, or says what cannot be. A server that does
/// not know its own host name leaves it out: then it is `asked`.
std::optional<slot_view> read_slots(const resp::reply& reply, std::string_view asked);

/// An error that sends a command elsewhere: `MOVED slot host:port`, or `ASK slot host:port`.
struct redirection {
    bool for_once = false; ///< `ASK`: the slot is on its way there, and this key is there or nowhere
    std::uint16_t slot = 0;
    endpoint to;
};
std::optional<redirection> read_redirection(std::string_view error, std::string_view asked);

/// Whether what `CLUSTER INFO` says is that commands are refused: slots are without a server, or most of the
/// masters cannot be reached.
bool says_cluster_is_down(std::string_view info) noexcept;

/// Whether an error says so, or that the slot cannot be served for the moment.
bool says_slot_is_down(std::string_view error) noexcept;

} // namespace redlock::node
