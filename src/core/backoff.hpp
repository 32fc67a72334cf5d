#pragma once

#include "core/instant.hpp"
#include "core/random.hpp"

namespace redlock::core {

/// Waits that grow from try to try and differ from contender to contender: the k-th is drawn evenly from
/// [b/2, b) with b = min(first · 2^k, limit).
class backoff {
public:
    backoff(nanoseconds first, nanoseconds limit) noexcept : first_(first), limit_(limit), bound_(first) {}

    nanoseconds next(random& r) noexcept {
        const nanoseconds bound = bound_;
        grow();
        return r.between(bound / 2, bound);
    }

    /// As after so many waits.
    void skip(unsigned waits) noexcept {
        for (; waits > 0 && bound_ < limit_; --waits)
            grow();
    }

    void reset() noexcept { bound_ = first_; }

private:
    void grow() noexcept { bound_ = bound_ > limit_ / 2 ? limit_ : bound_ * 2; }

    nanoseconds first_;
    nanoseconds limit_;
    nanoseconds bound_;
};

} // namespace redlock::core
