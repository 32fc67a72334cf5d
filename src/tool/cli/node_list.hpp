#pragma once

#include <string>
#include <vector>

namespace redlock::tool {

/// The nodes in a text in which commas or blanks separate them. A comma in the address of a group is followed
/// by one more Sentinel, unless it is by an address.
std::vector<std::string> split_nodes(const std::string& text);

} // namespace redlock::tool
