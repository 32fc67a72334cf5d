#pragma once

#include "contention/figures.hpp"
#include "contention/scenario.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bench {

/// Hand-offs between two processes, and what they are held against, measured within a few seconds of each
/// other: a machine that others use too is not the same a minute later.
struct handoff_round {
    double stolen = 0;                 ///< see `disturbed`
    double cycle_p50_microseconds = 0; ///< of the wire floor
    contention_figures library;
    contention_figures bare; ///< over bare sockets
};

/// The rounds, and what happened in all of them together.
struct handoff_findings {
    std::vector<handoff_round> rounds;
    scenario what;
    scenario what_bare;
    course library;
    course bare;
};

/// Parts the scenario in so many rounds. Gives those of up to `most` that were disturbed the least.
handoff_findings measure_handoffs(const scenario& what, std::size_t rounds, std::size_t most,
                                  const std::vector<std::string>& nodes,
                                  const std::vector<std::uint16_t>& ports);

} // namespace bench
