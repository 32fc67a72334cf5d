#pragma once

#include "cli/command.hpp"

#include <string>
#include <vector>

namespace redlock::tool {

/// How many words stand before the name of the command: options out of `options`, with their values. Throws
/// `usage_error` when it is another option.
std::size_t words_before_command(const std::vector<std::string>& words, const std::vector<option>& options);

/// The command line as it may be shown to others: addresses of nodes have neither user nor password, nor a
/// query, and what a shell would take apart is in quotes.
std::string shown_line(const std::string& command, const std::vector<std::string>& words);

/// Whether the words ask for help rather than for the command; every option and argument that they name has
/// been set. `words` is what stands before and behind the command's name. `options` are those of the command
/// and those it shares with others. Throws `usage_error` with a text that names the option.
bool asks_for_help(const command& what, const std::vector<option>& options,
                   const std::vector<std::string>& words);

} // namespace redlock::tool
