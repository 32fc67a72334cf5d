#include "bench/chart/axis.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace redlock::tool {

axis::axis(scale how, double low, double high, double begin, double end) noexcept
    : how_(how), low_(low), high_(high), begin_(begin), end_(end) {
    assert(low < high && (how == scale::linear || low > 0));
}

double axis::measured(double value) const noexcept { return is_logarithmic() ? std::log10(value) : value; }

double axis::place(double value) const noexcept {
    const double low = measured(low_), high = measured(high_);
    return begin_ + (end_ - begin_) * (measured(std::clamp(value, low_, high_)) - low) / (high - low);
}

std::vector<double> decades(double least, double most) {
    const double low = std::floor(std::log10(least));
    const double high = std::max(low + 1, std::ceil(std::log10(most)));
    std::vector<double> all;
    for (double power = low; power <= high; ++power)
        all.push_back(std::pow(10, power));
    return all;
}

std::vector<double> round_marks(double most, double parts) {
    const double raw = std::max(most, 1e-9) / parts;
    const double power = std::pow(10, std::floor(std::log10(raw)));
    double step = 10 * power;
    for (const double times : {5.0, 2.0, 1.0})
        if (raw <= times * power) step = times * power;
    std::vector<double> all;
    for (int i = 0; i * step <= most * 1.0001; ++i)
        all.push_back(i * step);
    return all;
}

} // namespace redlock::tool
