#pragma once

#include "engines/redis/node/address.hpp"
#include "engines/redis/node/group/council.hpp"
#include "engines/redis/resp/reply.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::node {

/// One of the other Sentinels of a group.
struct sentinel_told {
    std::string id; ///< of its own choice, 40 hexadecimal digits
    endpoint at;
};

/// What a reply to `SENTINEL MASTER` says, which came now; nothing where it is none, or says what cannot be.
std::optional<testimony> read_testimony(const resp::reply& reply, time::instant now);

/// Those that a reply to `SENTINEL SENTINELS` names, `most` of them at the most. One of which something
/// cannot be is left out.
std::vector<sentinel_told> read_sentinels(const resp::reply& reply, std::size_t most);

/// Whether a push tells of a fail-over of this group (`+switch-master`).
bool tells_of_switch(const resp::reply& message, std::string_view service) noexcept;

} // namespace redlock::node
