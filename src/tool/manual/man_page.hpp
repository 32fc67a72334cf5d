#pragma once

#include "cli/command.hpp"

#include <string>
#include <vector>

namespace redlock::tool {

/// The manual page redlock(1).
std::string tool_page(const std::vector<command>& all, const std::vector<option>& shared);

/// The manual page redlock-NAME(1) of a command.
std::string command_page(const command& what, const std::vector<option>& shared);

/// `redlock manual`: writes the manual pages, for packages.
command manual_command();

} // namespace redlock::tool
