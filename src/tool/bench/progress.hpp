#pragma once

#include "bench_report.hpp"

#include <string>

namespace redlock::tool {

/// How the run goes, in one line without an end: what the last part of it came to, and the errors of all.
std::string progress_line(const bench_point& last, const bench_counts& all);

} // namespace redlock::tool
