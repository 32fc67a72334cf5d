#include "manual/help.hpp"

#include "cli/exit_status.hpp"
#include "text/text_width.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace redlock::tool {
namespace {

// Behind a longer line nobody finds the beginning of the next one.
constexpr std::size_t longest_line = 100;

/// Where the help is read, and how it is laid out there.
struct layout {
    explicit layout(const reader& where)
        : colour(where.colour), width(std::min(where.width, longest_line)), column(width < 64 ? 8 : 28) {}

    std::string heading(const char* text) const { return paint(colour, style::heading, text) + '\n'; }

    /// A term, and behind it or below it in the right column what it means.
    std::string row(const std::string& term, const std::string& meaning) const {
        std::string line = "  " + term;
        if (line.size() + 2 > column)
            line += '\n' + std::string(column, ' ');
        else
            line.resize(column, ' ');
        return line + wrapped(meaning, width, column, column) + '\n';
    }

    bool colour;
    std::size_t width;
    std::size_t column;
};

std::string rows(const std::vector<option>& options, const layout& page) {
    std::string text;
    for (const auto& o : options) {
        const std::string names = fmt::format("{}{}", o.names[1] == '-' ? "    " : "", spelled(o.names));
        text += page.row(o.value.empty() ? names : names + ' ' + o.value, o.help);
    }
    return text;
}

} // namespace

std::string spelled(const std::string& names) {
    const auto comma = names.find(',');
    return comma == names.npos ? names : names.substr(0, comma) + ", " + names.substr(comma + 1);
}

std::string synopsis(const command& what) {
    std::string line = "redlock " + what.name;
    for (const auto& a : what.arguments)
        line += fmt::format(" {}{}", a.name, a.repeated ? "..." : "");
    line += " [OPTION]...";
    if (!what.tail.empty()) line += what.tail_required ? " -- " + what.tail : " [-- " + what.tail + ']';
    return line;
}

std::string tool_help(const reader& where) {
    const layout page(where);
    std::string text = page.heading("Usage:") + "  " +
                       wrapped("redlock [NODES] COMMAND [OPTION]...", page.width, 2, 6) + "\n\n" +
                       page.heading("Commands:");
    for (const auto& each : commands())
        text += page.row(each.name, each.summary);
    text += '\n' + page.heading("Options:") + page.row("-h, --help", "Show this, or the help of a command") +
            page.row("    --version", "Show the version");
    const std::string more = "\"redlock COMMAND --help\" says more, with examples. Nodes come from --node, "
                             "which may stand before or "
                             "behind COMMAND, from $REDLOCK_NODES or from a configuration file.";
    return text + '\n' + wrapped(more, page.width, 0, 0) + '\n';
}

std::string command_help(const command& what, const std::vector<option>& shared, const reader& where) {
    const layout page(where);
    const auto part = [&](const char* title) { return '\n' + page.heading(title); };
    std::string text = wrapped(what.summary, page.width, 0, 0) + "\n" + part("Usage:") + "  " +
                       wrapped(synopsis(what), page.width, 2, 6) + '\n';
    if (!what.arguments.empty()) text += part("Arguments:");
    for (const auto& a : what.arguments)
        text += page.row(a.name, a.help);
    text += part("Options:") + rows(what.options, page) + page.row("-h, --help", "Show this");
    if (!shared.empty()) text += part("Nodes:") + rows(shared, page);
    if (!what.exits.empty()) text += part("Exit status:");
    for (const auto& e : what.exits)
        text += page.row(std::to_string(e.status), e.meaning.empty() ? meaning_of(e.status) : e.meaning);
    if (!what.examples.empty()) text += part("Examples:");
    // A command line stays in one piece, to be copied.
    for (const auto& e : what.examples)
        text += fmt::format("  {}\n      {}\n", e.line,
                            paint(page.colour, style::quiet, wrapped(e.purpose, page.width, 6, 6)));
    return text;
}

} // namespace redlock::tool
