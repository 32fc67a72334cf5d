#pragma once

#include <string>
#include <vector>

namespace redlock::tool {

/// Where the figures of a report come from.
struct bench_origin {
    std::string begun{};                ///< date and time of day, with the time zone
    std::string host{};                 ///< the machine that made the load
    std::string command_line{};         ///< without users and passwords
    std::vector<std::string> servers{}; ///< product and version of each node; empty where it is not known
};

/// Of a load that begins now on this machine.
bench_origin origin_here(const std::string& command_line);

} // namespace redlock::tool
