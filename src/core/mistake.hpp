#pragma once

#include <cstdint>

namespace redlock::core {

/// Classic mistakes of distributed locks, each of which can be planted where the library does better: to show
/// that the simulation in test/sim finds it. Only a library of its own, with REDLOCK_MISTAKES defined, has
/// them; everywhere else `planted` is false at compile time.
enum class mistake : std::uint8_t {
    none,
    validity_from_reply,     ///< a lease is valid from the reply on, not from the request
    late_success_kept,       ///< what a node granted after the round was decided is not given back
    repaired_keys_vote,      ///< a key that was missing and put back confirms the lease
    first_event_wakes,       ///< a waiter tries at the first event, and lets no timer run
    delete_without_compare,  ///< a release deletes the key, whoever has it by now
    renewal_after_unlock,    ///< an unlock leaves the renewal running
    no_write_back,           ///< the highest fence of a majority is the token, wherever else it is lower
    higher_fence_agrees,     ///< a fence above the token counts for it
    restarted_node_votes,    ///< a node that restarted votes at once, whatever it has forgotten
    promoted_node_votes,     ///< so does a replica that was promoted, whatever it has not been told
    old_master_believed,     ///< what a Sentinel has said counts for ever, and one that says so is enough
    old_token_counts,        ///< a fencing token that an earlier round was given is good for a later one
    handed_from_receipt,     ///< a key that was handed over lives from the time on at which that is heard
    no_yield,                ///< who was handed some nodes keeps them, whoever came before
    moved_slot_votes,        ///< a slot of a cluster votes at once with its new owner
    promoted_server_votes,   ///< so does a server of a cluster that was promoted
    no_drain,                ///< who is to write does not wait for those who read
    read_nodes_drained,      ///< a node where somebody reads counts as one where nobody does
    readers_seen_first,      ///< who is to write looks for those who read before he takes the key
    clear_look_extends_not,  ///< the look that finds nobody reading leaves the life of the key as it is
    opponents_repaired,      ///< a renewal puts back, and takes for its own, what an opponent is at
    highest_fence_read,      ///< who reads takes the highest fence of a majority, which is not raised to it
    permits_by_majority,     ///< each node gives all permits, and so many nodes as are a majority are one
    arbiter_grants,          ///< of those who split the votes, the one with that of the arbiter has the key
    unordered_keys,          ///< the keys of a set are waited for in the order in which they were given
    entered_anew,            ///< an owner whose lock was lost takes it once more
    kept_key_released,       ///< a key that is to be kept is given back at once
    older_leader_told,       ///< who observes is told of what was proclaimed before what he knows
    untold_entry_left,       ///< who is not told of hand-overs leaves the queues and its entries in them
    untold_key_not_extended, ///< who finds the key to be his own in a queue does not extend it
    answer_of_next_fence     ///< of fences that share a command, each has the answer of the one before it
};

#ifdef REDLOCK_MISTAKES
/// The one that is planted. To be set while nothing else runs.
inline mistake planted_mistake = mistake::none;
inline bool planted(mistake m) noexcept { return m == planted_mistake; }
#else
consteval bool planted(mistake) noexcept { return false; }
#endif

} // namespace redlock::core
