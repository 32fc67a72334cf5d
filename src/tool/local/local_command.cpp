#include "local/local_command.hpp"

#include "cli/exit_status.hpp"
#include "local/local_nodes.hpp"
#include "process/supervisor.hpp"
#include "text/terminal.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>

namespace redlock::tool {
namespace {

struct local_options {
    std::string engine{};
    std::optional<std::uint64_t> count{};
    std::string server{}; ///< empty for that of the engine
    std::vector<std::string> directives{};
    std::vector<std::string> command{};
};

/// A folder that nobody but this user can look into, removed in the end.
struct temporary_folder {
    temporary_folder()
        : path((std::filesystem::absolute(std::filesystem::temp_directory_path()) / "redlock-XXXXXX")
                   .string()) {
        if (::mkdtemp(path.data()) == nullptr) checked(-1, "mkdtemp");
    }
    temporary_folder(const temporary_folder&) = delete;
    temporary_folder& operator=(const temporary_folder&) = delete;
    ~temporary_folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
    std::string path;
};

void show_variable(const std::string& variable) {
    fmt::print("export {}\n", variable);
    std::fflush(stdout);
    const char* const advice = "It runs until Ctrl-C. Paste the line above into another shell to use it.";
    fmt::print(stderr, "{}\n", wrapped(advice, reader_of(stderr).width, 0, 0));
}

std::uint64_t count_of(const local_engine& engine, const std::optional<std::uint64_t>& wanted) {
    if (wanted.value_or(1) > engine.most)
        throw usage_error(fmt::format("--nodes: --engine {} starts {} at most", engine.name, engine.most));
    return wanted.value_or(engine.usual_count);
}

int run_local(const local_options& o) {
    const local_engine& engine = local_engine_named(o.engine);
    const signal_intake signals;
    const temporary_folder folder;
    const local_plan plan{.count = count_of(engine, o.count),
                          .server = program_of(engine, o.server),
                          .folder = folder.path,
                          .directives = o.directives};
    partner keeper([&](channel& line) { keep_nodes(line, engine, plan); });
    supervision settings{.command = o.command,
                         .grace = std::chrono::seconds(5),
                         .status_of_loss = failed,
                         .without_command = show_variable};
    const int status = supervisor(std::move(settings), keeper, signals).run();
    // That is how one is asked to end it.
    const bool asked = status == status_of_signal(SIGINT) || status == status_of_signal(SIGTERM);
    return o.command.empty() && asked ? fine : status;
}

std::vector<std::string> engine_names() {
    std::vector<std::string> names;
    for (const local_engine& each : local_engines())
        names.push_back(each.name);
    return names;
}

std::vector<std::string> description() {
    std::vector<std::string> all{
        "Starts servers on free ports of 127.0.0.1 that keep what they have in a temporary folder. With a "
        "COMMAND, runs it with their addresses in REDLOCK_NODES and ends with its status; without one, "
        "writes "
        "the addresses and stays until SIGINT or SIGTERM. What is started --engine says:"};
    for (const local_engine& each : local_engines())
        all.push_back(fmt::format("{}: {}.", each.name, each.told));
    all.insert(
        all.end(),
        {"The servers and the folder are gone when redlock has ended, however it ended: when it is "
         "killed, even with SIGKILL, its other process (redlock-partner) kills COMMAND's process group "
         "and the servers and removes the folder; when that one is killed, the system ends the servers, "
         "COMMAND gets SIGTERM and 5 seconds later SIGKILL, and redlock removes the folder.",
         "COMMAND is run as by redlock run: in a process group of its own, with signals passed on to "
         "it."});
    return all;
}

std::vector<option> options_into(local_options& o) {
    return {{.names = "--engine",
             .value = "NAME",
             .help = "What to start; default " + local_engines().front().name,
             .set = into(o.engine),
             .choices = engine_names()},
            {.names = "--nodes",
             .value = "NUMBER",
             .help = "How many, 1 to 63; default 5, of etcd 1. A database is one",
             .set = into(o.count, 1, 63)},
            {.names = "--server",
             .value = "FILE",
             .help = "The program to run as a server; default that of the engine, such as redis-server",
             .set = into(o.server)},
            {.names = "--directive",
             .value = "LINE",
             .help = "A further line for the configuration of every server, such as \"maxmemory 10mb\"",
             .set = into(o.directives),
             .repeated = true}};
}

} // namespace

command local_command() {
    const auto o = std::make_shared<local_options>();
    o->engine = local_engines().front().name;
    return {
        .name = "local",
        .summary = "Run throw-away servers on this machine, for a command or until Ctrl-C",
        .description = description(),
        .options = options_into(*o),
        .tail = "COMMAND [ARGUMENT]...",
        .set_tail = into(o->command),
        .uses_nodes = false,
        .examples = {{"redlock local", "Five nodes to play with"},
                     {"redlock local -- ./integration_tests", "Nodes for one run of a test program"},
                     {"redlock local --engine postgresql -- ./integration_tests", "A database for it"},
                     {"redlock local --engine etcd --nodes 3 -- ./integration_tests",
                      "An etcd cluster for it"},
                     {"redlock local --nodes 3 -- redlock run demo -- redlock inspect demo",
                      "See what a lock looks like"}},
        .exits = {{failed, "the servers cannot be started, or died"},
                  {usage, {}},
                  {cannot_run, {}},
                  {not_found, {}}},
        .run = [o](const config&) { return run_local(*o); },
    };
}

} // namespace redlock::tool
