#include "lease/request_text.hpp"

#include "core/printable.hpp"
#include "engine/claim.hpp"
#include "lease/lock_request.hpp"

#include <redlock/client.hpp>

#include <fmt/format.h>

namespace redlock::lock {

namespace {

using std::chrono::milliseconds;

constexpr std::size_t longest_shown_key = 100;

/// With what is lost of it below a millisecond.
std::string exact_text_of(core::nanoseconds time) {
    return fmt::format("{:.6g} ms", std::chrono::duration<double, std::milli>(time).count());
}

/// The faults that a ttl has in common with what it is weighed against. `ttl_field` is what the caller calls
/// it.
std::string text_of_ttl_fault(option_fault fault, std::string_view ttl_field, const lock_options& o,
                              const core::drift_allowance& drift) {
    const core::nanoseconds life = core::saturating_nanoseconds(o.ttl);
    switch (fault) {
    case option_fault::ttl_out_of_range:
        return fmt::format("{} must be 1 ms to 2^53 ms, not {}", ttl_field, text_of(o.ttl));
    case option_fault::lock_delay_too_long:
        return fmt::format("{} and lock_options::lock_delay must together be at most 2^53 ms, not {} and {}",
                           ttl_field, text_of(o.ttl), text_of(o.lock_delay));
    case option_fault::stop_margin_too_long:
        return fmt::format("lock_options::stop_margin must be below half of {}, which is {}, not {}",
                           ttl_field, exact_text_of(life / 2), text_of(o.stop_margin));
    default:
        return fmt::format("{} must be longer than stop_margin and the allowance for drift together ({} and "
                           "{}), not {}",
                           ttl_field, exact_text_of(stop_margin_of(o.ttl, o.stop_margin)),
                           exact_text_of(drift.of(life)), text_of(o.ttl));
    }
}

} // namespace

std::string text_of(milliseconds time) {
    return time == forever ? "forever" : fmt::format("{} ms", time.count());
}

std::string quoted_key(std::string_view key) {
    return fmt::format("\"{}\"", core::printable(key, longest_shown_key));
}

std::string fault_text_of_key(std::string_view key, std::size_t prefix_size, unsigned permits) {
    if (key.empty()) return "a key must not be empty";
    const std::size_t longest = max_key_size - prefix_size - room_for_permits(permits);
    if (key.size() > longest && permits > 1)
        return fmt::format("a key with permits must be at most {} bytes long, {} less the {} of "
                           "config::key_prefix and {} for the number of the permit, not {}: {}",
                           longest, max_key_size, prefix_size, room_for_permits(permits), key.size(),
                           quoted_key(key));
    if (key.size() > longest && prefix_size == 0)
        return fmt::format("a key must be at most {} bytes long, not {}: {}", longest, key.size(),
                           quoted_key(key));
    if (key.size() > longest)
        return fmt::format("a key must be at most {} bytes long, {} less the {} of config::key_prefix, not "
                           "{}: {}",
                           longest, max_key_size, prefix_size, key.size(), quoted_key(key));
    const std::string_view ending = key.substr(key.rfind(':'));
    return fmt::format("a key must not end in \"{}\", which is kept for {}: {}", ending,
                       ending == engine::claim::fence_suffix     ? "fencing tokens"
                       : ending == engine::claim::queue_suffix   ? "those who wait"
                       : ending == engine::claim::readers_suffix ? "those who read"
                                                                 : "those who lead",
                       quoted_key(key));
}

std::string fault_text_of(const lock_options& o, const core::drift_allowance& drift) {
    const option_fault fault = fault_of(o, drift);
    switch (fault) {
    case option_fault::negative_lock_delay:
        return fmt::format("lock_options::lock_delay must be at least 0 ms, not {}", text_of(o.lock_delay));
    case option_fault::negative_wait:
        return fmt::format("lock_options::wait must be at least 0 ms, not {}", text_of(o.wait));
    case option_fault::no_max_hold:
        return fmt::format("lock_options::max_hold must be at least 1 ms, not {}", text_of(o.max_hold));
    case option_fault::negative_stop_margin:
        return fmt::format("lock_options::stop_margin must be at least 0 ms, or -1 ms for a tenth of the "
                           "ttl, not {}",
                           text_of(o.stop_margin));
    case option_fault::keep_out_of_range:
        return fmt::format("lock_options::keep must be 0 ms to 2^53 ms, not {}", text_of(o.keep));
    case option_fault::permits_out_of_range:
        return fmt::format("lock_options::permits must be 1 to {}, not {}", max_permits, o.permits);
    default:
        return text_of_ttl_fault(fault, "lock_options::ttl", o, drift);
    }
}

std::string fault_text(errc why, std::string_view key, const lock_options& o, std::size_t prefix_size,
                       const core::drift_allowance& drift) {
    if (why == errc::invalid_key) return fault_text_of_key(key, prefix_size, o.permits);
    if (why == errc::invalid_option) return fault_text_of(o, drift);
    return "the client is closed and grants no lock " + quoted_key(key);
}

std::string fault_text_of_extension(milliseconds ttl, milliseconds lock_delay, milliseconds stop_margin,
                                    const core::drift_allowance& drift) {
    lock_options o;
    o.ttl = ttl;
    o.lock_delay = lock_delay;
    o.stop_margin = stop_margin;
    return text_of_ttl_fault(fault_of_ttl(ttl, lock_delay, stop_margin, drift), "the ttl of async_extend", o,
                             drift);
}

const char* fault_text_of_engine(bool mode_is_supported) noexcept {
    return mode_is_supported
               ? "the engine that config::nodes names keeps no key behind an unlock or a crash: "
                 "lock_options::keep and lock_delay must be 0"
               : "the engine that config::nodes names has no locks for reading and writing";
}

} // namespace redlock::lock
