#pragma once

#include "sim/world.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace redlock::sim {

/// Runs the world of each seed, `jobs` at a time. `each` is called in the order of the seeds, on the calling
/// thread or another but never on two at once; no more runs begin when it returns false. `changes` is what is
/// done to the weather of each, if anything.
void run_all(const std::vector<std::uint64_t>& seeds, unsigned jobs,
             const std::function<bool(std::uint64_t seed, const outcome&)>& each,
             void (weather::*changes)() = nullptr);

} // namespace redlock::sim
