#pragma once

#include "engines/redis/dialect/push.hpp"

#include <cstdint>
#include <string_view>

namespace redlock::redis {

/// Told of what happens to keys, by nodes that tell of it.
class key_ear {
public:
    virtual void changed(std::uint32_t index, key_change::kind what) = 0;
    virtual void node_down(std::uint32_t index) = 0;
    /// Nothing is told any more, though the node takes requests.
    virtual void deafened(std::uint32_t index) = 0;
    /// The node answers again, or it became known how it tells of changes.
    virtual void listen(std::uint32_t index) = 0;
    /// Whether it has asked that node to tell of its key.
    virtual bool hears(std::uint32_t index) const noexcept = 0;

protected:
    ~key_ear() = default;
};

} // namespace redlock::redis
