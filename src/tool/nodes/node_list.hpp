#pragma once

#include <string>
#include <vector>

namespace redlock::tool {

/// The nodes in a text in which commas or blanks separate them. A comma in the address of a group, a cluster
/// or a database is followed by one more host of it, unless it is by an address.
std::vector<std::string> split_nodes(const std::string& text);

/// Whether there may be a password in the address of a node, however wrong it is.
bool may_have_password(const std::string& address);

} // namespace redlock::tool
