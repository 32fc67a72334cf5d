#include <redlock/latency_histogram.hpp>

#include <algorithm>

namespace redlock {

std::chrono::duration<double> latency_histogram::percentile(double percent) const noexcept {
    using seconds = std::chrono::duration<double>;
    const double rank = std::clamp(percent, 0.0, 100.0) / 100 * static_cast<double>(count);
    double before = 0;
    for (const bucket& b : buckets) {
        const auto here = static_cast<double>(b.count);
        const bool has_end = b.up_to != std::chrono::nanoseconds::max();
        if (before + here >= rank)
            return b.above + (has_end ? seconds(b.up_to - b.above) * ((rank - before) / here) : seconds(0));
        before += here;
    }
    return buckets.empty() ? seconds(0) : seconds(buckets.back().above);
}

std::uint64_t latency_histogram::count_up_to(std::chrono::nanoseconds bound) const noexcept {
    std::uint64_t all = 0;
    for (const bucket& b : buckets) {
        if (b.up_to > bound) break;
        all += b.count;
    }
    return all;
}

} // namespace redlock
