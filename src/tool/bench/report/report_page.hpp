#pragma once

#include "bench/report/bench_report.hpp"

#include <string>

namespace redlock::tool {

/// The report as a page of HTML that is well-formed XML too and needs nothing from elsewhere: no script, no
/// font, no picture. Light or dark as the reader's system is.
std::string page_of(const bench_report& report);

} // namespace redlock::tool
