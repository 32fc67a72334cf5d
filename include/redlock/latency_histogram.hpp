#pragma once

#include <redlock/detail/language.hpp>

#include <chrono>
#include <cstdint>
#include <vector>

namespace redlock {

/// How long something took, each time that it happened since the client was made. Bounded in size, however
/// often that was.
struct latency_histogram {
    /// Some values: longer than `above`, and not longer than `up_to`. The bounds are the same in every
    /// histogram, an eighth of the value apart, and every power of two nanoseconds from 1 µs to 39 h is one
    /// of them. Longer values are in a last bucket, which goes up to `nanoseconds::max()`; those of 0 are in
    /// the first.
    struct bucket {
        std::chrono::nanoseconds above; ///< lower bound, not included
        std::chrono::nanoseconds up_to; ///< upper bound, included
        std::uint64_t count;            ///< values in between
    };

    std::vector<bucket> buckets{};        ///< those that are not empty, the shortest values first
    std::uint64_t count = 0;              ///< all values
    std::chrono::duration<double> sum{0}; ///< of all values

    /// The length that `percent` % of the values do not exceed, 0 to 100, as far as the buckets tell: it is
    /// interpolated in one of them, and the lower bound of the last one is not exceeded. 0 without values.
    std::chrono::duration<double> percentile(double percent) const noexcept;

    /// How many values lie in buckets that go no further than this.
    std::uint64_t count_up_to(std::chrono::nanoseconds bound) const noexcept;
};

} // namespace redlock
