#pragma once

#include "core/instant.hpp"

#include <cstdint>

namespace redlock::core {

/// A small generator for jitter (SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number
/// generators", 2014). The same seed gives the same run. Not for tokens.
class random {
public:
    explicit random(std::uint64_t seed) noexcept : state_(seed) {}

    std::uint64_t operator()() noexcept {
        state_ += 0x9e3779b97f4a7c15u;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }

    /// Evenly spread in [0, 1).
    double fraction() noexcept { return static_cast<double>((*this)() >> 11) * 0x1.0p-53; }

    /// Evenly spread in [low, high).
    nanoseconds between(nanoseconds low, nanoseconds high) noexcept {
        return low + nanoseconds(static_cast<nanoseconds::rep>(static_cast<double>((high - low).count()) *
                                                               fraction()));
    }

private:
    std::uint64_t state_;
};

} // namespace redlock::core
