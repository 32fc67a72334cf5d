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

/// The same for fish.
std::string fish_completion(const std::vector<command>& all, const std::vector<option>& shared);

/// All options of a command. `shared` are those of all commands that use nodes.
std::vector<option> all_options(const command& what, const std::vector<option>& shared);

/// How options that are followed by a value are written.
std::vector<std::string> spellings_with_value(const std::vector<option>& options);

/// `redlock completion bash|zsh|fish`
command completion_command();

} // namespace redlock::tool
