#include "manual/completion.hpp"

#include "text/parts.hpp"

#include <fmt/format.h>

namespace redlock::tool {
namespace {

/// The text within single quotes of a shell.
std::string shell_quoted(const std::string& text) {
    std::string result = "'";
    for (const char c : text)
        result += c == '\'' ? "'\\''" : std::string(1, c);
    return result + '\'';
}

/// What `_arguments` of zsh wants in brackets: no bracket and no colon of its own.
std::string bracketed(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (c == '[' || c == ']' || c == ':') result += '\\';
        result += c;
    }
    return '[' + result + ']';
}

std::string joined_with(const std::vector<std::string>& words, const char* separator) {
    return fmt::format("{}", fmt::join(words, separator));
}

std::string joined(const std::vector<std::string>& words) { return joined_with(words, " "); }

std::string bash_values(const option& o) {
    if (!o.choices.empty())
        return fmt::format("mapfile -t COMPREPLY < <(compgen -W {} -- \"$word\")",
                           shell_quoted(joined(o.choices)));
    if (o.value == "FILE") return "mapfile -t COMPREPLY < <(compgen -f -- \"$word\")";
    if (o.value == "FOLDER") return "mapfile -t COMPREPLY < <(compgen -d -- \"$word\")";
    return "COMPREPLY=()";
}

std::string bash_command(const command& what, const std::vector<option>& shared) {
    std::string names;
    std::string values;
    for (const auto& o : all_options(what, shared)) {
        const auto spellings = parts_of(o.names, ',');
        names += joined(spellings) + ' ';
        if (!o.value.empty())
            values +=
                fmt::format("            {}) {}; return ;;\n", fmt::join(spellings, "|"), bash_values(o));
    }
    std::string words;
    for (const auto& a : what.arguments)
        words += joined(a.choices);
    return fmt::format("    {})\n        case $before in\n{}        esac\n"
                       "        mapfile -t COMPREPLY < <(compgen -W {} -- \"$word\") ;;\n",
                       what.name, values, shell_quoted(names + words));
}

std::string zsh_values(const std::string& value, const std::vector<std::string>& choices) {
    if (!choices.empty()) return fmt::format(":{}:({})", value, joined(choices));
    const char* const offered = value == "FILE" ? "_files" : value == "FOLDER" ? "_files -/" : " ";
    return fmt::format(":{}:{}", value, offered);
}

std::string zsh_row(const std::string& words) {
    return fmt::format("            {} \\\n", shell_quoted(words));
}

std::string zsh_command(const command& what, const std::vector<option>& shared) {
    std::string rows;
    for (const auto& o : all_options(what, shared))
        for (const auto& name : parts_of(o.names, ','))
            rows += zsh_row(fmt::format("{}{}{}{}", o.repeated ? "*" : "", name, bracketed(o.help),
                                        o.value.empty() ? "" : zsh_values(o.value, o.choices)));
    for (const auto& a : what.arguments)
        rows += zsh_row(fmt::format("{}{}", a.repeated ? "*" : "", zsh_values(a.name, a.choices)));
    return fmt::format("    {})\n        _arguments -S \\\n{}            && return ;;\n", what.name, rows);
}

} // namespace

std::vector<option> all_options(const command& what, const std::vector<option>& shared) {
    std::vector<option> all = what.options;
    if (what.uses_nodes) all.insert(all.end(), shared.begin(), shared.end());
    all.push_back({.names = "-h,--help", .help = "Show help"});
    return all;
}

std::vector<std::string> spellings_with_value(const std::vector<option>& options) {
    std::vector<std::string> all;
    for (const auto& o : options)
        for (auto& name : parts_of(o.names, ','))
            if (!o.value.empty()) all.push_back(std::move(name));
    return all;
}

std::string bash_completion(const std::vector<command>& all, const std::vector<option>& shared) {
    std::string names = "--help --version";
    std::string cases;
    for (const auto& each : all) {
        names += ' ' + each.name;
        cases += bash_command(each, shared);
    }
    // What stands behind "--" is the command line of another program.
    return fmt::format(R"(# Completion of redlock for bash.
_redlock() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} i
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        if [[ ${{COMP_WORDS[i]}} == -- ]]; then
            if declare -F _command_offset >/dev/null; then _command_offset $((i + 1)); fi
            return
        fi
    done
    # Options of nodes may stand before the command.
    local at=1
    while ((at < COMP_CWORD)) && [[ ${{COMP_WORDS[at]}} == -* ]]; do
        case ${{COMP_WORDS[at]}} in
            {}) at=$((at + 2)); if [[ ${{COMP_WORDS[at - 1]}} == = ]]; then at=$((at + 1)); fi ;;
            *) at=$((at + 1)) ;;
        esac
        # An address is several words.
        while ((at < COMP_CWORD)) && [[ ${{COMP_WORDS[at]}} == : ]]; do at=$((at + 2)); done
    done
    if ((at > COMP_CWORD)); then return; fi
    if ((at == COMP_CWORD)); then
        mapfile -t COMPREPLY < <(compgen -W {} -- "$word")
        return
    fi
    case ${{COMP_WORDS[at]}} in
{}    esac
}}
complete -o default -F _redlock redlock
)",
                       joined_with(spellings_with_value(shared), "|"), shell_quoted(names), cases);
}

std::string zsh_completion(const std::vector<command>& all, const std::vector<option>& shared) {
    std::string names;
    std::string cases;
    for (const auto& each : all) {
        names += "        " + shell_quoted(each.name + ':' + each.summary) + '\n';
        cases += zsh_command(each, shared);
    }
    return fmt::format(R"(#compdef redlock
# Completion of redlock for zsh.
_redlock() {{
    local separator=${{words[(i)--]}}
    if ((separator < CURRENT)); then
        shift $separator words
        ((CURRENT -= separator))
        _normal
        return
    fi
    # Options of nodes may stand before the command.
    integer at=2
    while ((at < CURRENT)) && [[ ${{words[at]}} == -* ]]; do
        case ${{words[at]}} in
            {}) ((at += 2)) ;;
            *) ((at += 1)) ;;
        esac
    done
    if ((at > CURRENT)); then return; fi
    if ((at == CURRENT)); then
        local -a commands=(
{}        )
        _describe command commands
        return
    fi
    local command=${{words[at]}}
    shift $((at - 1)) words
    ((CURRENT -= at - 1))
    case $command in
{}    esac
}}
_redlock "$@"
)",
                       joined_with(spellings_with_value(shared), "|"), names, cases);
}

} // namespace redlock::tool
