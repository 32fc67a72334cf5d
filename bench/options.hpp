#pragma once

#include "comparison.hpp"

#include <optional>
#include <string>
#include <vector>

namespace bench {

/// What the command line asks for.
struct options {
    extent how_much;
    bool help = false;                ///< only print the usage
    bool tls = false;                 ///< compare TLS with plain connections, and nothing else
    bool kinds = false;               ///< compare the kinds of lock, and nothing else
    bool check = false;               ///< exit with status 1 when a limit is not kept
    std::optional<std::string> json;  ///< where the JSON goes; empty for the standard output
    std::vector<std::string> hold_on; ///< nodes to hold leases on: this process only measures memory
};

inline constexpr const char* usage =
    "usage: lock_bench [--tls | --kinds] [--quick] [--runs N] [--check] [--json [FILE]]\n"
    "Compares the library with bare writes of the same commands, on five redis-server processes of its own.\n"
    "  --tls          compare TLS with plain connections to the same servers instead\n"
    "  --kinds        compare the kinds of lock instead, each without others at its keys\n"
    "  --quick        short runs, three of each\n"
    "  --runs N       pairs of runs for each load, 1 to 1000 (5)\n"
    "  --check        exit with status 1 when a limit is not kept\n"
    "  --json [FILE]  JSON to FILE, or to the standard output in place of the table\n";

/// Throws `std::invalid_argument` naming the argument it does not understand.
options parse(const std::vector<std::string>& arguments);

} // namespace bench
