#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace redlock::sim {

/// What the program was asked to do.
struct run_options {
    /// Throws std::invalid_argument with a sentence that says what is wrong.
    run_options(int argc, const char* const* argv);

    std::uint64_t first = 1;
    std::uint64_t count = 1000;
    bool one_seed = false; ///< that of `first`
    bool traces = false;
    unsigned jobs;
    std::uint64_t enough = std::numeric_limits<std::uint64_t>::max(); ///< seeds that fail: no more are run
    bool shares = false;      ///< says in how many of all worlds each mistake is found
    std::string mistake;      ///< the only one to plant; empty for all
    std::string failed_seeds; ///< a file with seeds to run first; empty when there is none
};

/// The seeds in such a file, one a line; what follows a # is a comment. Throws std::runtime_error.
std::vector<std::uint64_t> read_seeds(const std::string& path);

} // namespace redlock::sim
