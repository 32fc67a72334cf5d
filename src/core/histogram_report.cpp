#include "core/histogram_report.hpp"

#include <chrono>

namespace redlock::core {

latency_histogram report_of(const histogram& h) {
    latency_histogram all{.sum = std::chrono::duration<double, std::nano>(h.sum())};
    for (std::size_t bucket = h.first_used(); bucket < h.end_of_used(); ++bucket) {
        const std::uint64_t count = h.in_bucket(bucket);
        if (count == 0) continue;
        if (all.count == 0) all.buckets.reserve(h.end_of_used() - bucket);
        all.count += count;
        all.buckets.push_back({histogram::lower_bound_of(bucket), histogram::upper_bound_of(bucket), count});
    }
    return all;
}

} // namespace redlock::core
