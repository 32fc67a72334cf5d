// The redlock command: locks from a shell.

#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/exit_status.hpp"
#include "manual/help.hpp"
#include "nodes/node_options.hpp"
#include "text/printable.hpp"
#include "text/terminal.hpp"

#include <redlock/version.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace redlock::tool {
namespace {

int complain(const std::string& command, const std::string& text, int status) {
    const std::string name = command.empty() ? "redlock" : "redlock " + command;
    const reader where = reader_of(stderr);
    fmt::print(stderr, "{} {}\n", paint(where.colour, style::bad, name + ':'),
               wrapped(printable(text), where.width, name.size() + 2, 2));
    if (status == usage) fmt::print(stderr, "Try \"{} --help\".\n", name);
    return status;
}

int run_command(const command& what, const std::vector<std::string>& words) {
    node_options nodes;
    const std::vector<option> shared = what.uses_nodes ? options_of(nodes) : std::vector<option>{};
    std::vector<option> all = what.options;
    all.insert(all.end(), shared.begin(), shared.end());
    if (asks_for_help(what, all, words)) {
        fmt::print("{}", command_help(what, shared, reader_of(stdout)));
        return fine;
    }
    if (what.take_line) what.take_line(shown_line(what.name, words));
    return what.run(what.uses_nodes ? configuration_of(nodes) : config{});
}

int run_tool(const std::vector<std::string>& words) {
    const std::string first = words.empty() ? "" : words[0];
    if (first == "-h" || first == "--help") {
        fmt::print("{}", tool_help(reader_of(stdout)));
        return fine;
    }
    if (first == "--version") {
        fmt::print("redlock {}\n", version());
        return fine;
    }
    std::string name;
    try {
        node_options unused;
        const auto place = static_cast<std::ptrdiff_t>(words_before_command(words, options_of(unused)));
        const auto chosen = words.begin() + place;
        if (chosen == words.end()) throw usage_error("which command?");
        const command* const what = find_command(*chosen);
        if (!what) throw usage_error(fmt::format("there is no command \"{}\"", *chosen));
        name = what->name;
        std::vector<std::string> others(words.begin(), chosen);
        others.insert(others.end(), chosen + 1, words.end());
        return run_command(*what, others);
    } catch (const usage_error& e) {
        return complain(name, e.what(), usage);
    } catch (const std::exception& e) {
        return complain(name, e.what(), failed);
    }
}

} // namespace
} // namespace redlock::tool

int main(int argc, char** argv) { return redlock::tool::run_tool({argv + 1, argv + argc}); }
