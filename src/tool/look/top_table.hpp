#pragma once

#include "look/key_board.hpp"
#include "text/terminal.hpp"

#include <redlock/metrics.hpp>

#include <chrono>
#include <string>
#include <vector>

namespace redlock::tool {

/// What it comes to in a line, a table of the nodes, and one of the keys.
std::string table_of(const key_board& board, const std::vector<node_metrics>& nodes, key_order order,
                     const reader& where, key_board::time_point now);

/// The same for programs, on one line, with the time of day.
std::string json_of(const key_board& board, const metrics_snapshot& metrics, key_order order,
                    std::chrono::system_clock::time_point seen, key_board::time_point now);

} // namespace redlock::tool
