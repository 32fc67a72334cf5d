#include "bench/load/key_distribution.hpp"

#include <algorithm>
#include <cmath>

namespace redlock::tool {

key_distribution::key_distribution(key_shape shape, std::uint64_t keys, double exponent)
    : shape_(shape), keys_(shape == key_shape::one ? 1 : keys), exponent_(exponent) {}

std::uint64_t key_distribution::draw(std::mt19937_64& random) const {
    if (keys_ == 1) return 0;
    if (shape_ == key_shape::zipf) return draw_zipf(random);
    return std::uniform_int_distribution<std::uint64_t>(0, keys_ - 1)(random);
}

double key_distribution::weight(double x) const { return std::pow(x, -exponent_); }

// (x^(1 − s) − 1) / (1 − s), and the logarithm for s = 1; written so that it is exact near 1 as well.
double key_distribution::area(double x) const {
    const double t = (1 - exponent_) * std::log(x);
    return t == 0 ? std::log(x) : std::expm1(t) / (1 - exponent_);
}

double key_distribution::inverse(double y) const {
    const double t = y * (1 - exponent_);
    return t == 0 ? std::exp(y) : std::exp(std::log1p(std::max(t, -1.0)) / (1 - exponent_));
}

// Rejection-inversion (Hörmann and Derflinger, 1996): a point is drawn under the curve of `weight`, whose
// area between k − 1/2 and k + 1/2 is at least the weight of k, because the curve is convex; it counts when
// it lies in the part of that size at the right end. Key 1 has exactly its weight.
std::uint64_t key_distribution::draw_zipf(std::mt19937_64& random) const {
    const double low = area(1.5) - 1;
    const double high = area(static_cast<double>(keys_) + 0.5);
    for (;;) {
        const double y = std::uniform_real_distribution<double>(low, high)(random);
        const double x = inverse(y);
        const double k = std::clamp(std::round(x), 1.0, static_cast<double>(keys_));
        if (y >= area(k + 0.5) - weight(k)) return static_cast<std::uint64_t>(k) - 1;
    }
}

} // namespace redlock::tool
