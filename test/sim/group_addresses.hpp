#pragma once

#include <cstdint>

namespace redlock::sim::group {

// Server number i of a world is at address i. In a world of groups it is the master of group i, and whoever
// is that after so many fail-overs is at an address of its own.

inline constexpr unsigned sentinels = 3;
inline constexpr std::uint32_t between_masters = 100;
inline constexpr std::uint32_t first_sentinel = 1'000'000;

constexpr std::uint32_t master_address(std::uint32_t group, std::uint32_t fail_overs) noexcept {
    return group + between_masters * fail_overs;
}
constexpr std::uint32_t sentinel_address(std::uint32_t group, unsigned which) noexcept {
    return first_sentinel + sentinels * group + which;
}
constexpr std::uint32_t place_of(std::uint32_t address) noexcept {
    return address < first_sentinel ? address % between_masters : address;
}

} // namespace redlock::sim::group
