#pragma once

#include "core/instant.hpp"
#include "core/lease_state.hpp"

#include <redlock/error.hpp>
#include <redlock/lock_options.hpp>

#include <chrono>
#include <cstdint>
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
    std::chrono::milliseconds keep;        ///< behind the grant, whenever it is unlocked
};

/// Most permits of one key.
inline constexpr unsigned max_permits = 64;

/// `stop_margin` as given, or a tenth of the ttl.
core::nanoseconds stop_margin_of(std::chrono::milliseconds ttl, std::chrono::milliseconds given) noexcept;

/// Which limit an option is outside of; the first that is found.
enum class option_fault : std::uint8_t {
    none,
    negative_lock_delay,
    negative_wait,
    no_max_hold,
    keep_out_of_range,
    permits_out_of_range,
    negative_stop_margin,
    ttl_out_of_range,
    lock_delay_too_long, ///< with the ttl
    stop_margin_too_long,
    ttl_too_short ///< for what drift and margin take of it
};

/// Whether a lease of this ttl can be valid at all: 1 ms to 2^53 ms with lock_delay, and longer than drift
/// and margin.
option_fault fault_of_ttl(std::chrono::milliseconds ttl, std::chrono::milliseconds lock_delay,
                          std::chrono::milliseconds stop_margin, const core::drift_allowance& drift) noexcept;
option_fault fault_of(const lock_options& o, const core::drift_allowance& drift) noexcept;

/// 0, or `invalid_option`.
inline errc code_of(option_fault f) noexcept {
    return f == option_fault::none ? errc{} : errc::invalid_option;
}
inline errc check_ttl(std::chrono::milliseconds ttl, std::chrono::milliseconds lock_delay,
                      std::chrono::milliseconds stop_margin, const core::drift_allowance& drift) noexcept {
    return code_of(fault_of_ttl(ttl, lock_delay, stop_margin, drift));
}
inline errc check_options(const lock_options& o, const core::drift_allowance& drift) noexcept {
    return code_of(fault_of(o, drift));
}

/// Bytes that a key of so many permits needs behind itself, at most.
constexpr std::size_t room_for_permits(unsigned permits) noexcept { return permits > 1 ? 3 : 0; }
/// 0, or `invalid_key`. `taken` bytes are those of the prefix, and what else belongs to the key.
errc check_key(std::string_view key, std::size_t taken) noexcept;

/// Of options that were checked.
lock_terms terms_of(const lock_options& o, const core::drift_allowance& drift) noexcept;

} // namespace redlock::lock
