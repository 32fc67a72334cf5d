#pragma once

#include "core/instant.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace redlock::core {

/// How many events there were in the last while, to an eighth of that. Takes a comparison for each.
class pace {
public:
    /// Of what happens within that time.
    explicit pace(nanoseconds span) noexcept { set_span(span); }
    /// Forgets what has been.
    void set_span(nanoseconds span) noexcept {
        part_ = std::max(span / static_cast<int>(counts_.size()), nanoseconds(1));
        counts_ = {};
    }

    void add(instant now) noexcept {
        if (now >= end_) turn_to(now);
        ++counts_[current_];
    }
    /// Between seven and eight eighths of the span, up to now.
    std::size_t recent(instant now) noexcept {
        if (now >= end_) turn_to(now);
        return std::accumulate(counts_.begin(), counts_.end(), std::size_t{0});
    }

private:
    /// The next eighth begins, or one long after it.
    void turn_to(instant now) noexcept {
        for (std::size_t passed = 0; passed < counts_.size() && now >= end_; ++passed) {
            current_ = (current_ + 1) % counts_.size();
            counts_[current_] = 0;
            end_ += part_;
        }
        if (now >= end_) end_ = now + part_;
    }

    nanoseconds part_{1};
    std::array<std::uint32_t, 8> counts_{};
    std::size_t current_ = 0;
    instant end_ = instant::min(); ///< of the current eighth
};

} // namespace redlock::core
