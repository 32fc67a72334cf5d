#pragma once

#include "core/random.hpp"

#include <chrono>
#include <cmath>
#include <cstdint>

namespace redlock::sim {

using std::chrono::nanoseconds;

/// Draws what happens in a simulated world. The same seed, the same draws.
class dice {
public:
    explicit dice(std::uint64_t seed) noexcept : random_(seed) {}

    std::uint64_t seed() noexcept { return random_(); }
    bool chance(double p) noexcept { return random_.fraction() < p; }
    /// In [low, high].
    int between(int low, int high) noexcept {
        return low + static_cast<int>(random_() % static_cast<std::uint64_t>(high - low + 1));
    }
    nanoseconds between(nanoseconds low, nanoseconds high) noexcept { return random_.between(low, high); }
    /// Of any order of magnitude between the two.
    nanoseconds spread(nanoseconds low, nanoseconds high) noexcept {
        const double l = std::log(static_cast<double>(low.count()));
        const double h = std::log(static_cast<double>(high.count()));
        return nanoseconds(static_cast<nanoseconds::rep>(std::exp(l + (h - l) * random_.fraction())));
    }
    template <class T, std::size_t N>
    const T& one_of(const T (&choices)[N]) noexcept {
        return choices[random_() % N];
    }

private:
    core::random random_;
};

} // namespace redlock::sim
