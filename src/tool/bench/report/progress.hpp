#pragma once

#include "bench/report/bench_report.hpp"

#include <string>

namespace redlock::tool {

/// How the run goes, in one line without an end of at most `width` columns: what the last part of it came to.
std::string progress_line(const bench_point& last, std::size_t width);

} // namespace redlock::tool
