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

namespace redlock::tool {
namespace {

struct local_options {
    local_plan plan{};
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
    const char* const advice =
        "The nodes run until Ctrl-C. Paste the line above into another shell to use them.";
    fmt::print(stderr, "{}\n", wrapped(advice, reader_of(stderr).width, 0, 0));
}

int run_local(const local_options& o) {
    const signal_intake signals;
    const temporary_folder folder;
    local_plan plan = o.plan;
    plan.folder = folder.path;
    partner keeper([&](channel& line) { keep_nodes(line, plan); });
    supervision settings{.command = o.command,
                         .grace = std::chrono::seconds(5),
                         .status_of_loss = failed,
                         .without_command = show_variable};
    const int status = supervisor(std::move(settings), keeper, signals).run();
    // That is how one is asked to end it.
    const bool asked = status == status_of_signal(SIGINT) || status == status_of_signal(SIGTERM);
    return o.command.empty() && asked ? fine : status;
}

} // namespace

command local_command() {
    const auto o = std::make_shared<local_options>();
    return {
        .name = "local",
        .summary = "Run throw-away nodes on this machine, for a command or until Ctrl-C",
        .description =
            {"Starts redis-server processes on free ports of 127.0.0.1, each with a folder of its own in a "
             "temporary "
             "folder, without persistence, without eviction, and with the keyspace events that waiting "
             "needs. With a "
             "COMMAND, runs it with their addresses in REDLOCK_NODES and ends with its status; without one, "
             "writes "
             "the addresses and stays until SIGINT or SIGTERM.",
             "The nodes and the folder are gone when redlock has ended, however it ended: when it is killed, "
             "even "
             "with SIGKILL, its other process (redlock-partner) kills COMMAND's process group and the nodes "
             "and "
             "removes the folder; when that one is killed, the system kills the nodes, COMMAND gets SIGTERM "
             "and 5 seconds later SIGKILL, and redlock removes the folder.",
             "COMMAND is run as by redlock run: in a process group of its own, with signals passed on to "
             "it."},
        .options = {{.names = "--nodes",
                     .value = "NUMBER",
                     .help = "How many, 1 to 63; default 5",
                     .set = into(o->plan.count, 1, 63)},
                    {.names = "--server",
                     .value = "FILE",
                     .help = "The program to run as a node; default redis-server",
                     .set = into(o->plan.server)},
                    {.names = "--directive",
                     .value = "LINE",
                     .help = "A further line for the configuration of every node, such as \"maxmemory 10mb\"",
                     .set = into(o->plan.directives),
                     .repeated = true}},
        .tail = "COMMAND [ARGUMENT]...",
        .set_tail = into(o->command),
        .uses_nodes = false,
        .examples = {{"redlock local", "Five nodes to play with"},
                     {"redlock local -- ./integration_tests", "Nodes for one run of a test program"},
                     {"redlock local --nodes 3 -- redlock run demo -- redlock inspect demo",
                      "See what a lock looks like"}},
        .exits = {{failed, "the nodes cannot be started, or died"},
                  {usage, {}},
                  {cannot_run, {}},
                  {not_found, {}}},
        .run = [o](const config&) { return run_local(*o); },
    };
}

} // namespace redlock::tool
