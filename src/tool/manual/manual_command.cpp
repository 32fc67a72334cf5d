#include "cli/exit_status.hpp"
#include "manual/man_page.hpp"
#include "nodes/node_options.hpp"

#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>

namespace redlock::tool {
namespace {

void write_file(const std::filesystem::path& path, const std::string& text) {
    std::ofstream file(path);
    file << text;
    file.close();
    if (!file) throw std::runtime_error(path.string() + " cannot be written");
}

int write_manual(const std::filesystem::path& folder) {
    node_options unused;
    const auto shared = options_of(unused);
    std::filesystem::create_directories(folder);
    write_file(folder / "redlock.1", tool_page(commands(), shared));
    for (const auto& each : commands())
        write_file(folder / ("redlock-" + each.name + ".1"), command_page(each, shared));
    return fine;
}

} // namespace

command manual_command() {
    const auto folder = std::make_shared<std::string>();
    return {
        .name = "manual",
        .summary = "Write the manual pages",
        .description =
            {"Writes redlock.1 and a page for every command into FOLDER, which is made if need be. "
             "Packages install them; this is for those who do not have them from there."},
        .arguments = {{.name = "FOLDER", .help = "Where to write them", .set = into(*folder)}},
        .uses_nodes = false,
        .examples = {{"redlock manual /tmp/pages && man /tmp/pages/redlock-run.1", "Read one"}},
        .exits = {{failed, "a page cannot be written"}, {usage, {}}},
        .run = [folder](const config&) { return write_manual(*folder); },
    };
}

} // namespace redlock::tool
