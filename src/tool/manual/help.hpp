#pragma once

#include "cli/command.hpp"
#include "text/terminal.hpp"

#include <string>

namespace redlock::tool {

/// What `redlock --help` says.
std::string tool_help(const reader& where);

/// What `redlock COMMAND --help` says. `shared` are the options that the command has in common with others.
std::string command_help(const command& what, const std::vector<option>& shared, const reader& where);

/// The names of an option as people write them: "-n, --node".
std::string spelled(const std::string& names);

/// The command line in a formal way: "redlock run KEY [OPTION]... -- COMMAND [ARGUMENT]...".
std::string synopsis(const command& what);

} // namespace redlock::tool
