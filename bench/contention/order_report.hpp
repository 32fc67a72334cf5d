#pragma once

#include "contention/report.hpp"

#include <string>
#include <vector>

namespace bench {

/// What the library promises of the order among those who wait.
struct order_limits {
    double wait_milliseconds = 0;
    double least_against_most = 0; ///< 0 where none is promised
};
order_limits order_limits_of(const contention_result& r);

/// What may happen to who waits, and that it keeps its limits: for each kind of point of the sweep, of the
/// point that is nearest to a limit, or furthest beyond it.
std::vector<check> order_checks_of(const contention_findings& f);

// The table of the sweep.
std::string order_head();
std::string order_row(const contention_result& r);

} // namespace bench
