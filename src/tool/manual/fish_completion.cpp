#include "manual/completion.hpp"
#include "text/parts.hpp"

#include <fmt/format.h>

namespace redlock::tool {
namespace {

std::string fish_quoted(const std::string& text) {
    std::string result = "'";
    for (const char c : text) {
        if (c == '\'' || c == '\\') result += '\\';
        result += c;
    }
    return result + '\'';
}

/// What may stand where a value is wanted.
std::string fish_values(const std::string& value, const std::vector<std::string>& choices) {
    if (!choices.empty()) return " -x -a " + fish_quoted(fmt::format("{}", fmt::join(choices, " ")));
    if (value == "FILE") return " -r -F";
    if (value == "FOLDER") return " -x -a '(__fish_complete_directories)'";
    return " -x";
}

/// A line for what may come behind this command, or in its place where that is empty.
std::string line_behind(const std::string& name, const std::string& rest) {
    return fmt::format("complete -c redlock -n {}{}\n", fish_quoted("__redlock_behind '" + name + "'"), rest);
}

std::string fish_option(const std::string& behind, const option& o) {
    std::string names;
    for (const auto& name : parts_of(o.names, ','))
        names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    const std::string values = o.value.empty() ? "" : fish_values(o.value, o.choices);
    return line_behind(behind, fmt::format("{}{} -d {}", names, values, fish_quoted(o.help)));
}

std::string fish_command(const command& what, const std::vector<option>& shared) {
    std::string lines = line_behind("", fmt::format(" -a {} -d {}", what.name, fish_quoted(what.summary)));
    lines += line_behind(what.name, " -f");
    for (const auto& o : all_options(what, shared))
        lines += fish_option(what.name, o);
    for (const auto& a : what.arguments)
        if (!a.choices.empty()) lines += line_behind(what.name, fish_values(a.name, a.choices));
    return lines;
}

} // namespace

std::string fish_completion(const std::vector<command>& all, const std::vector<option>& shared) {
    std::string lines = line_behind("", " -f");
    for (const auto& o : shared)
        lines += fish_option("", o);
    for (const auto& each : all)
        lines += fish_command(each, shared);
    // What stands behind "--" is the command line of another program: there fish completes names of files.
    return fmt::format(R"(# Completion of redlock for fish.
# Whether the command is this one; there is none yet where the name is empty.
function __redlock_behind
    set -l words (commandline -opc)
    set -l at 2
    # Options of nodes may stand before the command.
    while test $at -le (count $words)
        switch $words[$at]
            case {}
                set at (math $at + 2)
            case '-*'
                set at (math $at + 1)
            case '*'
                contains -- -- $words; and return 1
                test "$argv[1]" = "$words[$at]"
                return
        end
    end
    test -z "$argv[1]"
end
{})",
                       fmt::join(spellings_with_value(shared), " "), lines);
}

} // namespace redlock::tool
