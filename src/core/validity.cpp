#include "core/validity.hpp"

namespace redlock::core {

nanoseconds drift_allowance::of(nanoseconds ttl) const noexcept {
    const double drift = static_cast<double>(ttl.count()) * factor + static_cast<double>(floor.count());
    // A double cannot hold the largest count exactly: compare before the conversion back, which would
    // overflow.
    if (drift >= static_cast<double>(nanoseconds::max().count())) return nanoseconds::max();
    return nanoseconds(static_cast<nanoseconds::rep>(drift) + 1);
}

instant valid_until(instant sent, nanoseconds ttl, const drift_allowance& drift) noexcept {
    const nanoseconds allowance = drift.of(ttl);
    if (allowance >= ttl) return sent;
    return saturating_add(sent, ttl - allowance);
}

instant saturating_add(instant a, nanoseconds d) noexcept {
    if (d > nanoseconds::zero() && a.time_since_epoch() > nanoseconds::max() - d) return instant::max();
    if (d < nanoseconds::zero() && a.time_since_epoch() < nanoseconds::min() - d) return instant::min();
    return a + d;
}

nanoseconds saturating_nanoseconds(std::chrono::milliseconds d) noexcept {
    using std::chrono::duration_cast;
    using std::chrono::milliseconds;
    if (d > duration_cast<milliseconds>(nanoseconds::max())) return nanoseconds::max();
    if (d < duration_cast<milliseconds>(nanoseconds::min())) return nanoseconds::min();
    return d;
}

} // namespace redlock::core
