#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace redlock::tool {

/// How often something took how long: buckets a thirty-second of the value wide, up to 36 minutes; what is
/// longer is in the last one. Can be copied byte by byte. Not thread-safe.
class latency_counts {
public:
    using nanoseconds = std::chrono::nanoseconds;

    /// A negative value counts as 0.
    void record(nanoseconds value) noexcept;
    void merge(const latency_counts& other) noexcept;

    std::uint64_t count() const noexcept { return count_; }
    nanoseconds max() const noexcept { return nanoseconds(max_); }
    nanoseconds mean() const noexcept;

    /// The length that `percent` % of the values do not exceed, too long by a bucket at most; 0 when there
    /// are none.
    nanoseconds percentile(double percent) const noexcept;

    static constexpr std::size_t buckets = 1184;
    std::uint64_t count_in(std::size_t bucket) const noexcept { return counts_[bucket]; }
    static std::size_t bucket_of(nanoseconds value) noexcept;
    /// The longest value in the bucket.
    static nanoseconds top_of(std::size_t bucket) noexcept;

private:
    std::array<std::uint64_t, buckets> counts_{};
    std::uint64_t count_ = 0;
    std::int64_t sum_ = 0;
    std::int64_t max_ = 0;
};

} // namespace redlock::tool
