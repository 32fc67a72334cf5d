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

} // namespace redlock::core
