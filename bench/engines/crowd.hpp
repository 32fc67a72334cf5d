#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace bench::engines {

/// What clients did that wanted one key, each behind a connection of its own.
struct contended {
    std::uint64_t grants = 0;
    std::uint64_t hand_offs = 0; ///< grants to another client than the one before
    std::uint64_t failures = 0;
    std::uint64_t overlaps = 0; ///< grants while another client had the key
    double grants_per_second = 0;
    double p50_milliseconds = 0; ///< from the call of unlock in one client to the grant in another
    double p99_milliseconds = 0;
    double longest_wait_milliseconds = 0;
};

/// So many clients lock one key, hold it for that long, and lock it again once another has had it. In one
/// process and thread.
struct crowd {
    std::size_t clients = 2;
    std::chrono::milliseconds hold{5};
    std::chrono::milliseconds duration{1500};
};

/// Throws `std::runtime_error` when it does not come to its end in time.
contended run_crowd(const std::vector<std::string>& nodes, const crowd& plan);

} // namespace bench::engines
