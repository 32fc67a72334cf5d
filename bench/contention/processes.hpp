#pragma once

#include "contention/scenario.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

/// Runs a scenario in processes of its own, which it waits for, and ends when it is interrupted. Call it
/// while this process has a single thread. Throws `interrupted`, or `std::runtime_error` when a process
/// failed. It does not begin before that time of CLOCK_MONOTONIC, in nanoseconds.
course run_in_processes(const scenario& what, const std::vector<std::string>& nodes,
                        std::int64_t not_before = 0);

} // namespace bench
