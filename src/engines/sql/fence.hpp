#pragma once

#include <cstdint>
#include <optional>

namespace redlock::sql {

/// A fencing token of a database is the number of its timeline, which rises whenever a standby takes over,
/// before a counter that only grows on one timeline: so a standby that lacks the last grants gives out higher
/// tokens all the same.
inline constexpr unsigned bits_of_counter = 44; ///< for 55 years at ten thousand grants a second
inline constexpr std::int64_t highest_timeline = (std::int64_t{1} << (63 - bits_of_counter)) - 1;

/// What is added to the counter. Nothing for a timeline that does not fit.
constexpr std::optional<std::int64_t> fence_base(std::int64_t timeline) noexcept {
    if (timeline < 1 || timeline > highest_timeline) return std::nullopt;
    return timeline << bits_of_counter;
}

} // namespace redlock::sql
