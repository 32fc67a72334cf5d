#pragma once

#include "contention/scenario.hpp"
#include "contention/shared_log.hpp"

#include <string>
#include <vector>

namespace bench {

/// Runs the callers of one process to their end: tells the log that it is ready, waits for the beginning, and
/// takes down every holding. Throws `std::runtime_error` when they do not come to an end.
void contend(const scenario& what, const std::vector<std::string>& nodes, shared_log& log,
             std::size_t process);

} // namespace bench
