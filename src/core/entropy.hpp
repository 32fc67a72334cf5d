#pragma once

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

/// For the random part of a token, the name of a client, the seed of a generator of jitter.
inline std::uint64_t draw(entropy& from) {
    std::uint8_t bytes[sizeof(std::uint64_t)];
    from.fill(bytes);
    std::uint64_t drawn = 0;
    std::memcpy(&drawn, bytes, sizeof drawn);
    return drawn;
}

} // namespace redlock::core
