#include "help.hpp"

#include "exit_status.hpp"
#include "terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace redlock::tool {
namespace {

constexpr std::size_t width = 100;
constexpr std::size_t column = 28;

/// The text in lines that begin at `indent`, but for the first.
std::string wrapped(const std::string& text, std::size_t indent) {
    std::string result;
    std::size_t used = indent;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        if (used + 1 + word.size() > width && used > indent) {
            result += '\n' + std::string(indent, ' ');
            used = indent;
        }
        if (used > indent) result += ' ';
        result += word;
        used += word.size() + 1;
    }
    return result;
}

/// A term, and behind it in the right column what it means.
std::string row(const std::string& term, const std::string& meaning) {
    std::string line = "  " + term;
    if (line.size() + 2 > column)
        line += '\n' + std::string(column, ' ');
    else
        line.resize(column, ' ');
    return line + wrapped(meaning, column) + '\n';
}

std::string rows(const std::vector<option>& options) {
    std::string text;
    for (const auto& o : options) {
        const std::string names = fmt::format("{}{}", o.names[1] == '-' ? "    " : "", o.names);
        text += row(o.value.empty() ? names : names + ' ' + o.value, o.help);
    }
    return text;
}

} // namespace

std::string synopsis(const command& what) {
    std::string line = "redlock " + what.name;
    for (const auto& a : what.arguments)
        line += fmt::format(" {}{}", a.name, a.repeated ? "..." : "");
    line += " [OPTION]...";
    if (!what.tail.empty()) line += what.tail_required ? " -- " + what.tail : " [-- " + what.tail + ']';
    return line;
}

std::string tool_help(bool colour) {
    const auto heading = [&](const char* text) { return paint(colour, style::heading, text) + '\n'; };
    std::string text = heading("Usage:") + "  redlock COMMAND [OPTION]...\n\n" + heading("Commands:");
    for (const auto& each : commands())
        text += row(each.name, each.summary);
    text += '\n' + heading("Options:") + row("-h, --help", "Show this, or the help of a command") +
            row("    --version", "Show the version");
    text += "\n\"redlock COMMAND --help\" says more, with examples. Nodes come from --node, from "
            "$REDLOCK_NODES or\n"
            "from a configuration file.\n";
    return text;
}

std::string command_help(const command& what, const std::vector<option>& shared, bool colour) {
    const auto heading = [&](const char* text) { return '\n' + paint(colour, style::heading, text) + '\n'; };
    std::string text = wrapped(what.summary, 0) + "\n" + heading("Usage:") + "  " + synopsis(what) + '\n';
    if (!what.arguments.empty()) text += heading("Arguments:");
    for (const auto& a : what.arguments)
        text += row(a.name, a.help);
    text += heading("Options:") + rows(what.options) + row("-h, --help", "Show this");
    if (!shared.empty()) text += heading("Nodes:") + rows(shared);
    if (!what.exits.empty()) text += heading("Exit status:");
    for (const auto& e : what.exits)
        text += row(std::to_string(e.status), e.meaning.empty() ? meaning_of(e.status) : e.meaning);
    if (!what.examples.empty()) text += heading("Examples:");
    for (const auto& e : what.examples)
        text += fmt::format("  {}\n      {}\n", e.line, paint(colour, style::quiet, e.purpose));
    return text;
}

} // namespace redlock::tool
