#pragma once

#include "core/lock_token.hpp"

#include <cstdint>
#include <cstring>
#include <span>

namespace redlock::core {

/// Where bits come from that nobody can guess. Tests hand in some that follow from a seed.
class entropy {
public:
    /// Throws std::system_error when there are none to be had.
    virtual void fill(std::span<std::uint8_t> out) = 0;

protected:
    ~entropy() = default;
};

inline lock_token new_token(entropy& from) {
    std::uint8_t bytes[lock_token::random_bytes];
    from.fill(bytes);
    return lock_token(bytes);
}

/// Of a generator of jitter.
inline std::uint64_t new_seed(entropy& from) {
    std::uint8_t bytes[sizeof(std::uint64_t)];
    from.fill(bytes);
    std::uint64_t seed = 0;
    std::memcpy(&seed, bytes, sizeof seed);
    return seed;
}

} // namespace redlock::core
