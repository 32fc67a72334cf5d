// The redlock command: locks from a shell.

#include "command.hpp"
#include "command_line.hpp"
#include "exit_status.hpp"
#include "help.hpp"
#include "node_options.hpp"
#include "printable.hpp"
#include "terminal.hpp"

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
    if (first.empty()) return complain("", "which command?", usage);
    const command* const chosen = find_command(first);
    if (!chosen) return complain("", fmt::format("there is no command \"{}\"", first), usage);
    try {
        return run_command(*chosen, {words.begin() + 1, words.end()});
    } catch (const usage_error& e) {
        return complain(first, e.what(), usage);
    } catch (const std::exception& e) {
        return complain(first, e.what(), failed);
    }
}

} // namespace
} // namespace redlock::tool

int main(int argc, char** argv) { return redlock::tool::run_tool({argv + 1, argv + argc}); }
