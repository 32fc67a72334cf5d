#pragma once

#include "support/distant_network.hpp"

#include <string>
#include <vector>

namespace bench {

/// Five nodes and the ways to them.
struct distance_scenario {
    std::string name;
    std::vector<redlock::test::distance> ways;
    bool answers_are_lost = false; ///< of two of them, from the first lock on
    bool counts_losses = false;    ///< of leases that are held meanwhile

    /// Whether commands take long on the wire.
    bool is_slow() const noexcept { return ways.front().bits_per_second > 0; }
};

std::vector<distance_scenario> distance_scenarios();

} // namespace bench
