#pragma once

#include "cli/setter.hpp"

#include <redlock/config.hpp>

#include <functional>
#include <string>
#include <vector>

namespace redlock::tool {

/// An option of a command. A flag has no value.
struct option {
    std::string names{}; ///< "--ttl" or "-n,--nodes"
    std::string value{}; ///< what the help calls its value; FILE and FOLDER let shells complete names
    std::string help{};  ///< a sentence without a full stop, with the default where there is one
    setter set{};
    bool repeated = false;              ///< may be given more than once
    std::vector<std::string> choices{}; ///< the only values there are; empty for any
};

/// A word of the command line that is not an option. The last one may be repeated.
struct argument {
    std::string name{}; ///< in capitals
    std::string help{};
    setter set{};
    bool repeated = false;
    std::vector<std::string> choices{};
};

/// A command line with what it is good for.
struct example {
    std::string line{};
    std::string purpose{};
};

/// A status that is particular to a command, or has a meaning of its own there.
struct exit_note {
    int status = 0;
    std::string meaning{}; ///< empty for what `meaning_of` says
};

/// One subcommand: all that the parser, the help, the manual pages and the completion scripts need to know.
/// The setters refer to options that `run` keeps alive.
struct command {
    std::string name{};
    std::string summary{};                  ///< one line, beginning with a verb
    std::vector<std::string> description{}; ///< paragraphs of the manual page
    std::vector<argument> arguments{};
    std::vector<option> options{};
    std::string tail{}; ///< what stands behind "--", such as "COMMAND [ARGUMENT]..."; empty for nothing
    setter set_tail{};  ///< called for each word behind "--"
    bool tail_required = false;
    bool uses_nodes = true; ///< takes --node and the other options of `node_options`
    std::vector<example> examples{};
    std::vector<exit_note> exits{};
    /// Is told the command line as it may be shown, if it wants to know; called before `run`.
    std::function<void(const std::string& line)> take_line{};
    /// Carries the command out and returns the exit status. Called once, after the command line was parsed.
    /// `nodes` is empty unless `uses_nodes`. May throw `usage_error`, or anything with a text.
    std::function<int(const config& nodes)> run{};
};

/// All commands, in the order of the help.
const std::vector<command>& commands();

/// The command of this name; null when there is none.
const command* find_command(const std::string& name);

} // namespace redlock::tool
