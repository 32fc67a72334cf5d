#pragma once

#include "bench/load/latency_counts.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace redlock::tool {

/// A number for people to read, with a comma behind the thousands: 111,963.
std::string number_text(std::uint64_t number);

/// How often something happens in a second: 111,963, 99.6 or 0.25.
std::string rate_text(double rate);

/// A part of the whole, 0 to 1, as "99.9 %"; 100 % is the whole and nothing less.
std::string percent_text(double part);

/// A length of time of three digits, such as 1.25 ms; "-" for 0, the length of what never took place.
std::string length_text(std::chrono::nanoseconds time);

/// A row of a table: the name, then percentiles, the longest and the mean.
std::vector<std::string> latency_row(const char* name, const latency_counts& latency);

} // namespace redlock::tool
