#pragma once

#include "engines/etcd/messages/ranges.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace redlock::etcd {

/// Who is the first in the queue for a lock, as its keys say.
struct holder {
    std::string try_name; ///< printable
    std::string label;    ///< likewise; empty where it has not said
    std::uint64_t fencing_token = 0;
    messages::lease_id lease = 0;
    std::uint64_t waiting = 0; ///< so many behind it
};

/// Asks for that.
std::string holder_request(std::string_view queue);
/// Nothing where nobody has the lock.
std::optional<holder> holder_in(const messages::range_result& found, std::string_view queue);

} // namespace redlock::etcd
