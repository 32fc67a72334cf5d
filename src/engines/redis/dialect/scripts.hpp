#pragma once

#include <cstdint>
#include <string_view>

namespace redlock::redis {

/// The Lua scripts that run on the nodes. KEYS[1] is the lock's key, KEYS[2] its fence; ARGV[1] the token of
/// the claim. A key with fencing has the value "token:fencing token", and is ours whatever stands behind the
/// colon.
enum class script : std::uint8_t {
    release, ///< deletes the key if its value is just ARGV[1]: 1 deleted, 0 not ours
    extend,  ///< gives the key a life of ARGV[2] ms if it is ours: 1 extended; 2 it was missing and was put
             ///< back; 0 it is somebody else's
    release_retold, ///< as release, whatever stands behind the token
    extend_fenced, ///< as extend, and raises the fence, and the token behind the key's, to ARGV[3] where they
                   ///< are lower; the fence lives for ARGV[4] ms
    advance_fence, ///< if the key is ours, raises the fence by one, or to ARGV[2] if that is more, and writes
                   ///< it behind the token: the fence; 0 not ours. It lives for ARGV[3] ms
    release_several, ///< as release, of each KEYS[i] whose value is ARGV[i]: the numbers, from 1 on, of those
                     ///< that were not ours
    extend_several,  ///< as extend, of each KEYS[i] for ARGV[i], by the life behind them: the numbers, from 1
                     ///< on, of those that were not ours, and less than 0 where it was put back
    queue, ///< enters the queue for the key, or leaves it and gives the key back (docs/handover.md): KEYS[2]
           ///< is the queue, KEYS[3] what is known of those in it. To enter, ARGV[2] is the ticket, ARGV[3]
           ///< the life of the key that may be handed over, ARGV[4] the time by the clock of whoever waits,
           ///< ARGV[5] for how long it is believed to be alive, ARGV[6] the life of the queue: {1} the key is
           ///< ours; {0, value of the key, its life, number of those ahead, how many the holder was told by,
           ///< or could be where others are ahead}, where an empty value says that it is free, and nobody
           ///< could be handed it. To leave: 0 not ours, 1 deleted, 2 handed over
    // KEYS[2] are those who read, by the end of their entries.
    read_try, ///< enters for ARGV[2] ms unless somebody writes: {1}; {0, life of the key, its value} he does
    read_several, ///< as read_try, of each KEYS[i] for ARGV[i], by the life behind them; those who read stand
                  ///< behind the keys: {0, life of the key, its value, i} of each that somebody writes
    read_extend,  ///< gives the entry ARGV[2] ms: 1 extended; 2 it was missing, nobody writes, it was put
                  ///< back; 0 somebody writes
    read_advance, ///< as advance_fence for an entry among those who read, which are KEYS[1]
    write_try,    ///< ARGV[1] is the value of the key, which is extended by ARGV[2] ms; where it is missing,
                  ///< it is put back if ARGV[3] is 1, else {3}: {1} nobody
                  ///< reads, {2, ms until the last of them ends}, {0} the key is somebody else's
    write_extend, ///< as extend; 3 where it is ours and somebody reads
    downgrade, ///< enters ARGV[2] for ARGV[3] ms among those who read where the key is ours: 1; 0 it is not
    readers,   ///< up to 65 of those who read, the last to end: {entry, ms left, entry, ms left, ...}
    proclaim,  ///< KEYS[2] becomes ARGV[2]:ARGV[3]:ARGV[4] (term, version, value) for the life of the key if
               ///< that is ours, unless it has a later one: 1; 0 not ours
    withdraw,  ///< deletes KEYS[1], what a leader has proclaimed, unless it is of a term after ARGV[1]: 1
               ///< deleted, 0 not
    advance_several ///< as advance_fence, of each KEYS[i] for ARGV[i]; the fences stand behind the keys, and
                    ///< what it has besides behind the tokens: for each what that says, or -1 where it would
                    ///< fail
};
inline constexpr unsigned script_count = 19;

std::string_view text_of(script s) noexcept;
/// SHA-1 of the text in hexadecimal, by which `EVALSHA` names it.
std::string_view hash_of(script s) noexcept;
/// How many of the keys it takes; those for several as many as they are given.
constexpr unsigned keys_of(script s) noexcept {
    const bool beside_others = s >= script::read_try && s <= script::proclaim;
    return s == script::queue || s == script::extend_fenced || s == script::advance_fence || beside_others
               ? 2
               : 1;
}

/// The one that extends the key of a claim.
constexpr script extension_of(bool fenced) noexcept {
    return fenced ? script::extend_fenced : script::extend;
}

} // namespace redlock::redis
