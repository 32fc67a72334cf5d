#pragma once

#include "core/instant.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace redlock::core {

/// How often durations of which length occurred. Each power of two is cut into eight buckets of one width, so
/// a value is known to an eighth; what is no longer than a microsecond or so goes into eight buckets of
/// 128 ns. All that is longer than `longest`, some 39 hours, shares the last one.
///
/// A record is a few instructions and no more memory than the object has. Not thread-safe.
class histogram {
    static constexpr unsigned longest_bits = 47;
    static constexpr unsigned unit_bits = 7;
    static constexpr unsigned part_bits = 3;
    static constexpr std::size_t parts = std::size_t{1} << part_bits;
    static constexpr nanoseconds unit{1 << unit_bits};

public:
    static constexpr nanoseconds longest{std::int64_t{1} << longest_bits};
    static constexpr std::size_t buckets = (longest_bits - unit_bits - part_bits + 1) * parts + 1;

    /// What is negative counts as 0.
    void record(nanoseconds d) noexcept {
        const std::size_t bucket = bucket_of(d);
        ++counts_[bucket];
        if (bucket < first_) first_ = bucket;
        if (bucket >= end_) end_ = bucket + 1;
        sum_ += static_cast<double>(std::max(d, nanoseconds::zero()).count());
    }

    /// What the other one has recorded, too.
    void add(const histogram& other) noexcept {
        for (std::size_t bucket = other.first_; bucket < other.end_; ++bucket)
            counts_[bucket] += other.counts_[bucket];
        first_ = std::min(first_, other.first_);
        end_ = std::max(end_, other.end_);
        sum_ += other.sum_;
    }

    /// Nanoseconds. A double, since the times that thousands of leases are held at once add up to more than
    /// 292 years within a few days.
    double sum() const noexcept { return sum_; }

    /// All that was recorded lies in the buckets from the first of these up to, but not including, the
    /// second.
    std::size_t first_used() const noexcept { return first_; }
    std::size_t end_of_used() const noexcept { return end_; }
    std::uint64_t in_bucket(std::size_t bucket) const noexcept { return counts_[bucket]; }

    /// A bucket has what is longer than the upper bound of the one before it, up to and including its own.
    static constexpr nanoseconds upper_bound_of(std::size_t bucket) noexcept {
        if (bucket + 1 == buckets) return nanoseconds::max();
        const std::size_t next = bucket + 1;
        if (next < parts) return unit * static_cast<std::int64_t>(next);
        const std::size_t doublings = next / parts - 1;
        return unit * static_cast<std::int64_t>((parts + next % parts) << doublings);
    }
    static constexpr nanoseconds lower_bound_of(std::size_t bucket) noexcept {
        return bucket == 0 ? nanoseconds::zero() : upper_bound_of(bucket - 1);
    }

    static constexpr std::size_t bucket_of(nanoseconds d) noexcept {
        // Less one, so that a bound belongs to the bucket below it.
        if (d <= nanoseconds::zero()) return 0;
        if (d > longest) return buckets - 1;
        const std::uint64_t units = static_cast<std::uint64_t>(d.count() - 1) >> unit_bits;
        if (units < parts) return units;
        const auto doublings = static_cast<std::size_t>(std::bit_width(units)) - part_bits - 1;
        return (doublings + 1) * parts + ((units >> doublings) & (parts - 1));
    }

private:
    std::array<std::uint64_t, buckets> counts_{};
    std::size_t first_ = buckets;
    std::size_t end_ = 0;
    double sum_ = 0;
};

} // namespace redlock::core
