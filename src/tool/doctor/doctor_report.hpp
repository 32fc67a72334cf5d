#pragma once

#include "doctor/findings.hpp"
#include "text/terminal.hpp"

#include <string>
#include <vector>

namespace redlock::tool {

/// A table with a line for each node, the findings below it, and what they come to.
std::string table_of(const std::vector<node_examination>& nodes, const std::vector<finding>& found,
                     const reader& where);

/// The same for programs, on one line, with the name of the engine. What is not known is null.
std::string json_of(const std::vector<node_examination>& nodes, const std::vector<finding>& found,
                    const std::string& engine);

} // namespace redlock::tool
