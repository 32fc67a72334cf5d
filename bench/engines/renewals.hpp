#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bench::engines {

/// Leases that a client holds and renews, and for how long it is watched at that.
struct holding {
    std::size_t leases = 10'000;
    std::chrono::milliseconds ttl{10'000};
    std::chrono::milliseconds duration{4'000};
};

/// What it came to.
struct renewed {
    std::uint64_t renewals = 0;
    std::uint64_t lost = 0;
    double share_of_a_core = 0; ///< CPU time of this process ÷ time
};

/// Throws `std::runtime_error` when the leases are not granted in time.
renewed run_renewals(const std::vector<std::string>& nodes, const holding& plan);

} // namespace bench::engines
