#pragma once

#include "bench/report/bench_report.hpp"

#include <redlock/config.hpp>

namespace redlock::tool {

/// Who is told how the run goes, on standard error.
struct bench_audience {
    bool quiet = false;
    bool terminal = false; ///< a line that is written over and over, else one line after another
};

/// Makes the load in processes of its own and adds up what they tell. SIGINT, SIGTERM and SIGHUP end it
/// early; when one of them comes again after half a second, the processes are ended by force, and what they
/// hold runs out. Throws `usage_error` when the configuration is not valid, `std::system_error` when there is
/// no process to be had.
bench_report run_bench(const bench_plan& plan, const config& nodes, const bench_audience& audience);

} // namespace redlock::tool
