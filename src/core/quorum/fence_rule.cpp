#include "core/quorum/fence_rule.hpp"

#include <algorithm>

namespace redlock::core {

namespace {

constexpr std::uint64_t highest = std::uint64_t{1} << 52;

std::uint64_t microseconds_of(fence_clock::wall_time t) noexcept {
    const auto since_epoch = std::chrono::duration_cast<std::chrono::microseconds>(t.time_since_epoch());
    return static_cast<std::uint64_t>(
        std::clamp<std::int64_t>(since_epoch.count(), 1, static_cast<std::int64_t>(highest)));
}

} // namespace

std::uint64_t fence_clock::propose(wall_time now) const noexcept {
    return std::min(microseconds_of(now) + lead_, highest);
}

void fence_clock::saw(std::uint64_t token, wall_time now) noexcept {
    const std::uint64_t by_clock = microseconds_of(now);
    lead_ = std::max(lead_, std::min(token - std::min(token, by_clock), highest));
}

} // namespace redlock::core
