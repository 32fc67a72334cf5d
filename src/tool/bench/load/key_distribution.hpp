#pragma once

#include <cstdint>
#include <random>

namespace redlock::tool {

/// How often the keys are asked for.
enum class key_shape {
    one,     ///< there is one key
    uniform, ///< each as often as any other
    zipf     ///< key k as often as k to the power of −s, so that a few keys have most of the load
};

/// Draws keys, numbered from 0. Takes no memory for each of them. Not thread-safe.
class key_distribution {
public:
    /// `keys` is at least 1, `exponent` positive.
    key_distribution(key_shape shape, std::uint64_t keys, double exponent);

    std::uint64_t draw(std::mt19937_64& random) const;

private:
    double weight(double x) const;  ///< x to the power of −s
    double area(double x) const;    ///< the integral of `weight` from 1 to x
    double inverse(double y) const; ///< of `area`
    std::uint64_t draw_zipf(std::mt19937_64& random) const;

    key_shape shape_;
    std::uint64_t keys_;
    double exponent_;
};

} // namespace redlock::tool
