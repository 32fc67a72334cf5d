#pragma once

#include "check.hpp"
#include "contention/figures.hpp"
#include "contention/handoff_rounds.hpp"
#include "contention/scenario.hpp"
#include "contention/yardstick.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// One scenario and what came of it.
struct contention_result {
    scenario what;
    contention_figures figures;
    double stolen = 0;                 ///< see `disturbed`
    double cycle_p50_microseconds = 0; ///< of the wire floor, at that time
};

/// All that was measured.
struct contention_findings {
    bench::yardstick yardstick;
    std::vector<contention_result> results;
    std::vector<handoff_round> handoffs; ///< of two processes by events, which `results` has together
};

/// What a table calls it.
std::string_view name_of(redlock::wakeup how);

/// The limits, for the scenarios that were measured.
std::vector<check> checks_of(const contention_findings& f);

// The table to read: its head, a row for each scenario as soon as it is over, and what follows from all.
std::string head();
std::string row(const contention_result& r);
std::string summary(const contention_findings& f);

/// The same as one JSON object.
std::string json(const contention_findings& f);

} // namespace bench
