#pragma once

#include "contention/report.hpp"

#include <string>
#include <vector>

namespace bench {

/// What npm redlock gets of a key for which others stand in queues. Its default delay between two tries has
/// no limit: it is longer than the key is free at a time.
std::vector<check> guest_checks_of(const contention_findings& f);

// The table of it.
std::string guest_head();
std::string guest_row(const contention_result& r);

} // namespace bench
