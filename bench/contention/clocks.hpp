#pragma once

#include <cstdint>

namespace bench {

/// Nanoseconds of CLOCK_MONOTONIC, which all processes read alike.
std::int64_t now();

/// What this process has used up.
double cpu_microseconds();

/// Since the start of a virtual machine, how long its processors were ready to work while the host let others
/// run, of all of them together, in steps of 10 ms. 0 where that is not told.
double stolen_seconds();

} // namespace bench
