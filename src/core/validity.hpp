#pragma once

#include "core/instant.hpp"

#include <chrono>

namespace redlock::core {

/// How far clocks may drift apart while a key lives: `ttl * factor + floor` (redis.io, "Distributed Locks
/// with Redis", section "The Redlock algorithm", step 3).
struct drift_allowance {
    double factor = 0.01;
    nanoseconds floor{std::chrono::milliseconds(2)};

    nanoseconds of(nanoseconds ttl) const noexcept;
};

/// When a lease whose oldest vote was asked for at `sent` stops being valid: sent + ttl − drift. It counts
/// from the sending, not from the reply, because the key's life began somewhere in between. Saturates instead
/// of overflowing.
instant valid_until(instant sent, nanoseconds ttl, const drift_allowance& drift) noexcept;

/// `a + d`, or the end of time.
constexpr instant saturating_add(instant a, nanoseconds d) noexcept {
    if (d > nanoseconds::zero() && a.time_since_epoch() > nanoseconds::max() - d) return instant::max();
    if (d < nanoseconds::zero() && a.time_since_epoch() < nanoseconds::min() - d) return instant::min();
    return a + d;
}

/// Milliseconds as nanoseconds, or the largest there are.
constexpr nanoseconds saturating_nanoseconds(std::chrono::milliseconds d) noexcept {
    using std::chrono::duration_cast;
    using std::chrono::milliseconds;
    if (d > duration_cast<milliseconds>(nanoseconds::max())) return nanoseconds::max();
    if (d < duration_cast<milliseconds>(nanoseconds::min())) return nanoseconds::min();
    return d;
}

} // namespace redlock::core
