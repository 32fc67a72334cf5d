#pragma once

#include "load.hpp"

#include <redlock/tls_options.hpp>

#include <string>
#include <vector>

namespace bench {

/// Runs one closed loop on the library: as many coroutines as the load says, each with a key of its own, on
/// one io_context in this thread. The client is new for each run and is closed at its end. Throws
/// `std::runtime_error` when the loop does not come to its end in time.
sample run_library(const std::vector<std::string>& nodes, const load& plan,
                   const redlock::tls_options& tls = {});

} // namespace bench
