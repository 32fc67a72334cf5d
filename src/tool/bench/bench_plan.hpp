#pragma once

#include "bench/load/key_distribution.hpp"

#include <redlock/config.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace redlock::tool {

/// What load is put on the nodes.
struct bench_plan {
    std::uint64_t processes = 1;
    std::uint64_t callers = 64; ///< in each process
    key_shape shape = key_shape::uniform;
    std::uint64_t keys = 1000;
    double exponent = 1; ///< of Zipf's law
    std::chrono::milliseconds hold{0};
    std::chrono::milliseconds ttl{10'000};
    std::chrono::milliseconds wait{forever};
    bool fencing = false;
    std::chrono::milliseconds duration{10'000}; ///< `forever` for no limit
    std::uint64_t count = 0;                    ///< attempts of all processes together; 0 for no limit
    double rate = 0;                            ///< attempts a second of all processes; 0 for a closed loop
    bool poisson = true;
    std::uint64_t backlog = 10'000; ///< attempts that are due, but not begun, of all processes
    std::chrono::milliseconds interval{1000};
    std::string prefix{}; ///< of the keys of this run, behind the nodes' own prefix
    std::uint64_t seed = 0;
};

/// What process `index` has of something that all processes share.
constexpr std::uint64_t share_of(std::uint64_t whole, std::uint64_t processes, std::uint64_t index) noexcept {
    return whole / processes + (index < whole % processes ? 1 : 0);
}

} // namespace redlock::tool
