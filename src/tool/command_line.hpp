#pragma once

#include "command.hpp"

#include <string>
#include <vector>

namespace redlock::tool {

/// Whether the words ask for help rather than for the command; every option and argument that they name has
/// been set. `words` is what stands behind the command's name. `options` are those of the command and those
/// it shares with others. Throws `usage_error` with a text that names the option.
bool asks_for_help(const command& what, const std::vector<option>& options,
                   const std::vector<std::string>& words);

} // namespace redlock::tool
