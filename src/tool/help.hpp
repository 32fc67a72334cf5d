#pragma once

#include "command.hpp"

#include <string>

namespace redlock::tool {

/// What `redlock --help` says.
std::string tool_help(bool colour);

/// What `redlock COMMAND --help` says. `shared` are the options that the command has in common with others.
std::string command_help(const command& what, const std::vector<option>& shared, bool colour);

/// The command line in a formal way: "redlock run KEY [OPTION]... -- COMMAND [ARGUMENT]...".
std::string synopsis(const command& what);

} // namespace redlock::tool
