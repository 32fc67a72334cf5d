#include "doctor/doctor_command.hpp"

#include "cli/exit_status.hpp"
#include "doctor/doctor_report.hpp"
#include "nodes/client_session.hpp"
#include "nodes/node_progress.hpp"
#include "text/terminal.hpp"

#include <boost/asio/deferred.hpp>
#include <boost/asio/this_coro.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <memory>

namespace redlock::tool {
namespace {

struct doctor_options {
    std::optional<std::chrono::milliseconds> restart_guard{};
    bool json = false;
};

boost::asio::awaitable<int> examine(client& locks, const config& settings, bool json) {
    const auto executor = co_await boost::asio::this_coro::executor;
    std::vector<node_examination> nodes;
    {
        const node_progress progress(executor, locks, "examining the nodes");
        nodes = co_await locks.async_examine();
    }
    const std::vector<finding> found = findings_of(nodes, settings);
    fmt::print("{}", json ? json_of(nodes, found, locks.metrics().engine)
                          : table_of(nodes, found, reader_of(stdout)));
    co_return is_fit(found) ? fine : unfit;
}

} // namespace

command doctor_command() {
    const auto options = std::make_shared<doctor_options>();
    return {
        .name = "doctor",
        .summary = "Say whether the nodes are fit to hold locks, and what to do where they are not",
        .description =
            {"Examines every node, over a connection of its own and with the user that its address names: "
             "whether it can be reached, how long a round trip takes, what it runs, whether it is a replica "
             "or the "
             "same server as another node, what it forgets when it restarts, whether it may drop locks for "
             "want of "
             "memory, how far its clock is from that of this machine, how it tells waiting clients that a "
             "key became "
             "free, and which rights the user lacks. Commands are tried in forms that change nothing; where "
             "the "
             "user may not run them, ACL LOG on the server says so. What the user may not ask is shown as "
             "unknown.",
             "Below the table stand the findings with what to do about each. A fault means that a node is of "
             "no "
             "use, or that two clients can get one lock; a warning, that this can happen under circumstances "
             "or "
             "that it costs time; a note is worth knowing. Give the node timeout, key prefix and restart "
             "guard "
             "that your clients use: they are judged as well."},
        .options =
            {{.names = "--restart-guard",
              .value = "TIME",
              .help = "What the clients have as restart_guard; default as in the configuration file, else 0",
              .set =
                  into(options->restart_guard, std::chrono::milliseconds(0), std::chrono::hours(365 * 24))},
             {.names = "--json", .help = "Write JSON", .set = into(options->json)}},
        .examples = {{"redlock doctor -n redis://a -n redis://b -n redis://c",
                      "Are these three servers fit?"},
                     {"redlock doctor --json | jq '.findings[] | select(.severity == \"fault\")'",
                      "For a program"}},
        .exits = {{fine, "there is no fault; there may be warnings"},
                  {unfit, "there is a fault"},
                  {usage, {}}},
        .run =
            [options](const config& given) {
                config settings = given;
                if (options->restart_guard) settings.restart_guard = *options->restart_guard;
                return with_client(settings, [settings, options](client& locks) {
                    return examine(locks, settings, options->json);
                });
            },
    };
}

} // namespace redlock::tool
