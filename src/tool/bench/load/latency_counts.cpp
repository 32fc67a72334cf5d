#include "bench/load/latency_counts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace redlock::tool {
namespace {

// Each power of two is split into so many buckets; below twice that every value has its own.
constexpr unsigned bits_of_a_doubling = 5;
constexpr std::uint64_t buckets_of_a_doubling = 1U << bits_of_a_doubling;
constexpr std::uint64_t largest = (std::uint64_t{1} << 41) - 1;

} // namespace

std::size_t latency_counts::bucket_of(nanoseconds value) noexcept {
    const auto size =
        std::min(static_cast<std::uint64_t>(std::max(value.count(), nanoseconds::rep{0})), largest);
    if (size < buckets_of_a_doubling) return static_cast<std::size_t>(size);
    const auto shift = static_cast<unsigned>(std::bit_width(size)) - bits_of_a_doubling - 1;
    return static_cast<std::size_t>(shift * buckets_of_a_doubling + (size >> shift));
}

latency_counts::nanoseconds latency_counts::top_of(std::size_t bucket) noexcept {
    if (bucket < 2 * buckets_of_a_doubling) return nanoseconds(bucket);
    const std::uint64_t shift = bucket / buckets_of_a_doubling - 1;
    const std::uint64_t mantissa = bucket % buckets_of_a_doubling + buckets_of_a_doubling;
    return nanoseconds(((mantissa + 1) << shift) - 1);
}

void latency_counts::record(nanoseconds value) noexcept {
    const auto size = std::max(value.count(), nanoseconds::rep{0});
    ++counts_[bucket_of(value)];
    ++count_;
    sum_ += size;
    max_ = std::max(max_, size);
}

void latency_counts::merge(const latency_counts& other) noexcept {
    for (std::size_t i = 0; i < buckets; ++i)
        counts_[i] += other.counts_[i];
    count_ += other.count_;
    sum_ += other.sum_;
    max_ = std::max(max_, other.max_);
}

latency_counts::nanoseconds latency_counts::mean() const noexcept {
    return nanoseconds(count_ == 0 ? 0 : sum_ / static_cast<std::int64_t>(count_));
}

latency_counts::nanoseconds latency_counts::percentile(double percent) const noexcept {
    const double wanted = std::ceil(percent / 100 * static_cast<double>(count_));
    double seen = 0;
    for (std::size_t i = 0; i + 1 < buckets; ++i) {
        seen += static_cast<double>(counts_[i]);
        if (seen >= wanted && seen > 0) return std::min(top_of(i), max());
    }
    return max();
}

} // namespace redlock::tool
