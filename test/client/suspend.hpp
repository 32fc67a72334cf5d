#pragma once

#include <chrono>

namespace redlock::test {

/// As if the machine had been suspended for that long: CLOCK_BOOTTIME is ahead by it from now on, and timers
/// that wait by it ring; CLOCK_MONOTONIC knows nothing of it. Linux lets nobody set either clock, and the
/// offsets of a time namespace are fixed before the first process enters it; so this program is linked with
/// `--wrap` and reads the clock and sets its timers through functions that add the difference.
void suspend(std::chrono::nanoseconds time);

} // namespace redlock::test
