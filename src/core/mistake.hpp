#pragma once

#include <cstdint>

namespace redlock::core {

/// Classic mistakes of distributed locks, each of which can be planted where the library does better: to show
/// that the simulation in test/sim finds it. Only a library of its own, with REDLOCK_MISTAKES defined, has
/// them; everywhere else `planted` is false at compile time.
enum class mistake : std::uint8_t {
    none,
    validity_from_reply,    ///< a lease is valid from the reply on, not from the request
    late_success_kept,      ///< what a node granted after the round was decided is not given back
    repaired_keys_vote,     ///< a key that was missing and put back confirms the lease
    first_event_wakes,      ///< a waiter tries at the first event, and lets no timer run
    delete_without_compare, ///< a release deletes the key, whoever has it by now
    renewal_after_unlock,   ///< an unlock leaves the renewal running
    no_write_back,          ///< the highest fence of a majority is the token, wherever else it is lower
    higher_fence_agrees,    ///< a fence above the token counts for it
    restarted_node_votes,   ///< a node that restarted votes at once, whatever it has forgotten
    promoted_node_votes,    ///< so does a replica that was promoted, whatever it has not been told
    old_master_believed,    ///< what a Sentinel has said counts for ever, and one that says so is enough
    old_token_counts,       ///< a fencing token that an earlier round was given is good for a later one
    handed_from_receipt,    ///< a key that was handed over lives from the time on at which that is heard
    no_yield                ///< who was handed some nodes keeps them, whoever came before
};

#ifdef REDLOCK_MISTAKES
/// The one that is planted. To be set while nothing else runs.
inline mistake planted_mistake = mistake::none;
inline bool planted(mistake m) noexcept { return m == planted_mistake; }
#else
consteval bool planted(mistake) noexcept { return false; }
#endif

} // namespace redlock::core
