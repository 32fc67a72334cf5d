#pragma once

#include <cstdint>

namespace redlock::sim {

/// What a lock can be besides a key for one holder.
enum class lock_kind : std::uint8_t {
    read_write,
    permits,
    set,   ///< several keys, all or none
    owned, ///< by an owner who enters again
    kept,  ///< for a while behind the unlock
    lead   ///< to be told of to those who observe
};

/// So many there are, of which a set has some.
inline constexpr unsigned keys_of_sets = 3;

} // namespace redlock::sim
