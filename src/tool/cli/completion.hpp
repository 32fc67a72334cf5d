#pragma once

#include "cli/command.hpp"

#include <string>
#include <vector>

namespace redlock::tool {

/// A script that lets bash complete the tool's command lines. `shared` are the options of all commands that
/// use nodes.
std::string bash_completion(const std::vector<command>& all, const std::vector<option>& shared);

/// The same for zsh.
std::string zsh_completion(const std::vector<command>& all, const std::vector<option>& shared);

/// `redlock completion bash|zsh`
command completion_command();

} // namespace redlock::tool
