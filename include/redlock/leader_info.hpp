#pragma once

#include <redlock/detail/language.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace redlock {

/// Longest value of a leader, in bytes. Any bytes may stand in it.
inline constexpr std::size_t max_leader_value_size = 4096;

/// What an observer knows of who leads: to be given to the next `client::async_observe` as it came. One that
/// was made by default knows nothing.
struct leader_mark {
    std::uint64_t term = 0; ///< of the leader, or of the last before nobody led; 0 when there was none
    /// Of the value, from 1 on in each term; of a mark that says that nobody leads it has its highest bit
    /// set.
    std::uint64_t version = 0;

    bool operator==(const leader_mark&) const noexcept = default; ///< of the same value
};

// As lock_options: g++ 12 destroys a braced aggregate inside a co_await expression twice.
static_assert(std::is_trivially_destructible_v<leader_mark>);

/// Who leads.
struct leader_info {
    std::string value;    ///< that the leader has proclaimed last; empty when nobody leads
    leader_mark mark;     ///< for the next call
    bool present = false; ///< whether anybody leads
};

} // namespace redlock
