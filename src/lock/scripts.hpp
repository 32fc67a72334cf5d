#pragma once

#include <cstdint>
#include <string_view>

namespace redlock::lock {

/// The Lua scripts that run on the nodes. KEYS[1] is the lock's key, ARGV[1] the token.
enum class script : std::uint8_t {
    release, ///< deletes the key if it is ours: 1 deleted, 0 not ours
    extend   ///< gives the key a life of ARGV[2] ms if it is ours: 1 extended; 2 it was missing and was put
             ///< back; 0 it is somebody else's
};
inline constexpr unsigned script_count = 2;

std::string_view text_of(script s) noexcept;
/// SHA-1 of the text in hexadecimal, by which `EVALSHA` names it.
std::string_view hash_of(script s) noexcept;

} // namespace redlock::lock
