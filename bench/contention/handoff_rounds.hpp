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
    double cycle_p50_microseconds = 0; ///< of the wire floor
    contention_figures library;
    contention_figures bare; ///< over bare sockets
};

/// The same of all rounds together.
struct handoff_courses {
    std::vector<handoff_round> rounds;
    scenario what;
    scenario what_bare;
    course library;
    course bare;
};

handoff_courses measure_handoffs(const scenario& what, std::size_t rounds,
                                 const std::vector<std::string>& nodes,
                                 const std::vector<std::uint16_t>& ports);

} // namespace bench
