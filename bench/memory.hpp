#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace bench {

/// Leases that the memory of one is measured with.
inline constexpr std::size_t held_leases = 10'000;

/// Takes `held_leases` leases, waits until each has been renewed on the average, and returns the growth of
/// the resident set in bytes for each. Meant for a process that has done nothing else. Throws
/// `std::runtime_error` when a lease is not granted or is lost.
double bytes_per_lease(const std::vector<std::string>& nodes);

/// Runs `program --hold node…` as a process of its own and returns what it printed.
double bytes_per_lease_in_child(const std::string& program, const std::vector<std::string>& nodes);

} // namespace bench
