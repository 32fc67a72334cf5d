#pragma once

#include <cstdint>

namespace bench {

/// Nanoseconds of CLOCK_MONOTONIC, which all processes read alike.
std::int64_t now();

/// What this process has used up.
double cpu_microseconds();

} // namespace bench
