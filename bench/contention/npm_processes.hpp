#pragma once

#include "contention/scenario.hpp"

#include <string>
#include <vector>

namespace bench {

/// The same as `run_in_processes` with the npm package redlock, which is installed in `folder`. What it
/// spends is not known. Throws `interrupted`, or `std::runtime_error` when a process failed.
course run_npm(const scenario& what, const std::vector<std::string>& nodes, const std::string& folder);

/// With the library, and with `npm` processes of that package among them. Call it as `run_in_processes`.
course run_with_npm(const scenario& what, const std::vector<std::string>& nodes, const std::string& folder);

} // namespace bench
