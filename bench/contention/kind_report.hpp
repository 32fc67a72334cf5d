#pragma once

#include "contention/report.hpp"

#include <string>

namespace bench {

/// That no call of any kind failed.
std::vector<check> kind_checks_of(const contention_findings& f);

// The table of the kinds of lock.
std::string kind_head();
std::string kind_row(const contention_result& r);

} // namespace bench
