#pragma once

#include "engines/findings.hpp"

#include <optional>
#include <string>
#include <vector>

namespace bench::engines {

/// What the command line asks for.
struct options {
    extent how_much;
    bool help = false;
    bool check = false;              ///< exit with status 1 when a limit is not kept
    std::optional<std::string> json; ///< where the JSON goes; empty for the standard output
    std::vector<std::string> only;   ///< names of engines; empty for all
};

/// What `--help` says.
std::string usage();

/// Throws `std::invalid_argument` naming the argument it does not understand.
options parse(const std::vector<std::string>& arguments);

} // namespace bench::engines
