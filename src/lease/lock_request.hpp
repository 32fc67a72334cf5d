#pragma once

#include "core/instant.hpp"
#include "core/lease_state.hpp"

#include <redlock/error.hpp>
#include <redlock/lock_options.hpp>

#include <chrono>
#include <string_view>

namespace redlock::lock {

/// `lock_options` checked against their limits and in the units of the core.
struct lock_terms {
    [[no_unique_address]] core::lease_terms lease;
    bool fencing;                   ///< here, for it takes no room of its own
    std::chrono::milliseconds life; ///< what the key gets on every node: ttl + lock_delay
    std::chrono::milliseconds lock_delay;
    std::chrono::milliseconds stop_margin; ///< as given: −1 stands for ttl / 10
    core::nanoseconds wait;                ///< `nanoseconds::max()` for ever
};

/// `stop_margin` as given, or a tenth of the ttl.
core::nanoseconds stop_margin_of(std::chrono::milliseconds ttl, std::chrono::milliseconds given) noexcept;

/// Whether a lease of this ttl can be valid at all: 1 ms to 2^53 ms with lock_delay, and longer than drift
/// and margin.
errc check_ttl(std::chrono::milliseconds ttl, std::chrono::milliseconds lock_delay,
               std::chrono::milliseconds stop_margin, const core::drift_allowance& drift) noexcept;

/// 0, or `invalid_option`.
errc check_options(const lock_options& o, const core::drift_allowance& drift) noexcept;

/// 0, or `invalid_key`. `prefix_size` counts.
errc check_key(std::string_view key, std::size_t prefix_size) noexcept;

/// Of options that were checked.
lock_terms terms_of(const lock_options& o, const core::drift_allowance& drift) noexcept;

} // namespace redlock::lock
