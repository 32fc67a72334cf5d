#include "lease/lock_request.hpp"

#include "engine/claim.hpp"

#include <redlock/client.hpp>

namespace redlock::lock {

namespace {

using std::chrono::milliseconds;

// The largest integer that Lua inside Redis, which counts in doubles, still tells from its neighbours.
constexpr milliseconds longest_life{std::int64_t{1} << 53};

} // namespace

core::nanoseconds stop_margin_of(milliseconds ttl, milliseconds given) noexcept {
    if (given < milliseconds::zero()) return core::saturating_nanoseconds(ttl) / 10;
    return core::saturating_nanoseconds(given);
}

option_fault fault_of_ttl(milliseconds ttl, milliseconds lock_delay, milliseconds stop_margin,
                          const core::drift_allowance& drift) noexcept {
    if (ttl < milliseconds(1) || ttl > longest_life) return option_fault::ttl_out_of_range;
    if (lock_delay > longest_life - ttl) return option_fault::lock_delay_too_long;
    const core::nanoseconds life = core::saturating_nanoseconds(ttl);
    const core::nanoseconds margin = stop_margin_of(ttl, stop_margin);
    if (margin >= life / 2) return option_fault::stop_margin_too_long;
    return drift.of(life) >= life - margin ? option_fault::ttl_too_short : option_fault::none;
}

option_fault fault_of(const lock_options& o, const core::drift_allowance& drift) noexcept {
    if (o.lock_delay < milliseconds::zero()) return option_fault::negative_lock_delay;
    if (o.wait < milliseconds::zero()) return option_fault::negative_wait;
    if (o.max_hold <= milliseconds::zero()) return option_fault::no_max_hold;
    if (o.stop_margin < milliseconds(-1)) return option_fault::negative_stop_margin;
    if (o.keep < milliseconds::zero() || o.keep > longest_life) return option_fault::keep_out_of_range;
    if (o.permits < 1 || o.permits > max_permits) return option_fault::permits_out_of_range;
    return fault_of_ttl(o.ttl, o.lock_delay, o.stop_margin, drift);
}

errc check_key(std::string_view key, std::size_t taken) noexcept {
    if (key.empty() || key.size() > max_key_size - taken) return errc::invalid_key;
    return engine::claim::is_beside_a_lock(key) ? errc::invalid_key : errc{};
}

lock_terms terms_of(const lock_options& o, const core::drift_allowance& drift) noexcept {
    return {.lease = {.ttl = core::saturating_nanoseconds(o.ttl),
                      .stop_margin = stop_margin_of(o.ttl, o.stop_margin),
                      .drift = drift,
                      .max_hold = core::saturating_nanoseconds(o.max_hold),
                      .renew = o.renew},
            .fencing = o.fencing,
            .life = o.ttl + o.lock_delay,
            .lock_delay = o.lock_delay,
            .stop_margin = o.stop_margin,
            .wait = core::saturating_nanoseconds(o.wait),
            .keep = o.keep};
}

} // namespace redlock::lock
