#pragma once

#include "contention/scenario.hpp"

#include <string>
#include <vector>

namespace bench {

/// Runs a scenario in processes of its own, which it waits for, and ends when it is interrupted. Call it
/// while this process has a single thread. Throws `interrupted`, or `std::runtime_error` when a process
/// failed.
course run_in_processes(const scenario& what, const std::vector<std::string>& nodes);

} // namespace bench
