#pragma once

#include "core/validity.hpp"
#include "engine/engine.hpp"

#include <redlock/error.hpp>
#include <redlock/lock_options.hpp>

#include <chrono>
#include <string>
#include <string_view>

namespace redlock::lock {

// What there is to say of a call that asks for something impossible, and how its key is written where people
// read it.

/// `"order:17"`, printable and not too long.
std::string quoted_key(std::string_view key);

/// Of a key that `check_key` refuses: why, and what the limit is.
std::string fault_text_of_key(std::string_view key, std::size_t prefix_size, unsigned permits = 1);

/// Of options that `check_options` refuses: the field and its limit.
std::string fault_text_of(const lock_options& o, const core::drift_allowance& drift);

/// Of a call for a lock that cannot even be tried: of one of these two, or of a closed client.
std::string fault_text(errc why, std::string_view key, const lock_options& o, std::size_t prefix_size,
                       const core::drift_allowance& drift);

/// Of a ttl for `lease::async_extend` that `check_ttl` refuses.
std::string fault_text_of_extension(std::chrono::milliseconds ttl, std::chrono::milliseconds lock_delay,
                                    std::chrono::milliseconds stop_margin,
                                    const core::drift_allowance& drift);

/// `250 ms`, or `forever`.
std::string text_of(std::chrono::milliseconds time);

/// Whether the engine can leave a key behind an unlock or a crash, where the options ask for that.
template <class Options>
bool keeps_as_asked(const engine::engine& e, const Options& o) noexcept {
    const bool asks = o.lock_delay > std::chrono::milliseconds(0) || o.keep > std::chrono::milliseconds(0);
    return !asks || e.keeps_keys();
}

/// Of a request that is `unsupported`, for its mode or because no key is kept.
const char* fault_text_of_engine(bool mode_is_supported) noexcept;

} // namespace redlock::lock
