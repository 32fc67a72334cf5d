#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace redlock::sql {

/// Waiting clients are told of releases for so many groups of keys, by the hash of the key: what a client
/// waits for takes the server at most so many entries in its table of locks. Two keys of one group wake each
/// other's waiters, which then look once too often.
inline constexpr std::size_t wake_buckets = 256;

/// Of all clients the same (FNV-1a).
constexpr std::size_t wake_bucket(std::string_view key) noexcept {
    std::uint32_t hash = 2166136261u;
    for (const char c : key)
        hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
    return (hash ^ (hash >> 16)) % wake_buckets;
}

} // namespace redlock::sql
