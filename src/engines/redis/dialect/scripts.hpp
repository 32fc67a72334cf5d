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
    queue ///< enters the queue for the key, or leaves it and gives the key back (docs/handover.md): KEYS[2]
          ///< is the queue, KEYS[3] what is known of those in it. To enter, ARGV[2] is the ticket, ARGV[3]
          ///< the life of the key that may be handed over, ARGV[4] the time by the clock of whoever waits,
          ///< ARGV[5] for how long it is believed to be alive, ARGV[6] the life of the queue: {1} the key is
          ///< ours; {0, value of the key, its life, number of those ahead, how many the holder was told by},
          ///< where an empty value says that it is free, and nobody could be handed it. To leave: 0 not ours,
          ///< 1 deleted, 2 handed over
};
inline constexpr unsigned script_count = 7;

std::string_view text_of(script s) noexcept;
/// SHA-1 of the text in hexadecimal, by which `EVALSHA` names it.
std::string_view hash_of(script s) noexcept;
/// How many of the keys it takes; `release_several` as many as it is given.
constexpr unsigned keys_of(script s) noexcept {
    return s == script::queue || s == script::extend_fenced || s == script::advance_fence ? 2 : 1;
}

/// The one that extends the key of a claim.
constexpr script extension_of(bool fenced) noexcept {
    return fenced ? script::extend_fenced : script::extend;
}

} // namespace redlock::redis
