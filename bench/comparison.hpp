#pragma once

#include "load.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bench {

/// How much to measure.
struct extent {
    std::size_t runs = 5; ///< pairs of library and floor for each load
    std::chrono::milliseconds warm_up{300};
    std::chrono::milliseconds duration{1500};
};

/// One load, measured on all sides `extent::runs` times.
struct comparison {
    load plan;
    std::vector<sample> library;
    std::vector<sample> floor;  ///< the i-th was measured right before or after the i-th of the library
    std::vector<sample> fenced; ///< likewise, on the library with fencing tokens
};

/// A figure of a sample, such as `&sample::p50_microseconds`.
using figure = double sample::*;

double median(std::vector<double> values);
double median_of(const std::vector<sample>& samples, figure f);

/// The median of one side ÷ the other over the pairs.
double ratio(const std::vector<sample>& side, const std::vector<sample>& other, figure f);
/// Of library ÷ floor.
double ratio(const comparison& c, figure f);

std::uint64_t failures(const comparison& c);

/// Measures 1, 64, 1024 and 16384 in flight. The pairs alternate which side goes first, so that a drift of
/// the machine weighs on both alike.
std::vector<comparison> compare(const std::vector<std::uint16_t>& ports,
                                const std::vector<std::string>& nodes, const extent& how_much);

} // namespace bench
