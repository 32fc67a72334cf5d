#pragma once

#include "bench/bench_plan.hpp"
#include "bench/load/load_line.hpp"

#include <redlock/config.hpp>

#include <chrono>

namespace redlock::tool {

/// How long a process that makes load may take to give everything back before it is ended by force.
std::chrono::seconds time_to_end(const config& nodes);

/// Makes the load of process `index`: says that it is ready, begins when it is told, counts, and ends after
/// the plan's duration or count, or when it is told to, or on SIGTERM, or when the other end of the line is
/// gone. Then it gives back all that it holds and says that it is done. SIGALRM ends it if that takes longer
/// than `time_to_end`.
void make_load(load_line& line, const bench_plan& plan, const config& nodes, std::uint64_t index);

} // namespace redlock::tool
