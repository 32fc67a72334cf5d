#include "watch_command.hpp"

#include "client_session.hpp"
#include "exit_status.hpp"
#include "terminal.hpp"
#include "watch_screen.hpp"

#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <unistd.h>

namespace redlock::tool {
namespace {

using std::chrono::milliseconds;

struct watch_options {
    std::vector<std::string> keys{};
    milliseconds interval{200};
};

void show_changes(watched_key& key, const std::string& change) {
    if (!change.empty()) fmt::print("{}", change_line(key, change));
}

boost::asio::awaitable<int> watch(client& locks, const watch_options& options) {
    const bool live = ::isatty(STDOUT_FILENO) == 1;
    watch_screen screen(has_colour(stdout));
    std::vector<watched_key> keys;
    for (const auto& key : options.keys)
        keys.push_back({.key = key});
    boost::asio::steady_timer pause(co_await boost::asio::this_coro::executor);
    for (;;) {
        pause.expires_after(options.interval);
        for (auto& k : keys) {
            k.report = co_await locks.async_inspect(k.key);
            const std::string change = k.history.update(judge(k.report), std::chrono::steady_clock::now());
            if (!live) show_changes(k, change);
        }
        if (live) fmt::print("{}", screen.draw(keys, columns_of(stdout)));
        std::fflush(stdout);
        co_await pause.async_wait(boost::asio::deferred);
    }
}

} // namespace

command watch_command() {
    const auto o = std::make_shared<watch_options>();
    return {
        .name = "watch",
        .summary = "Show who holds keys, as it changes",
        .description =
            {"Looks at every KEY again and again and shows who holds it, since when, for how much longer, on "
             "how many nodes, how often it was seen to change hands, and how many processes wait for it. On "
             "a terminal the table is drawn over and over; otherwise there is one line for each change. It "
             "goes on until SIGINT, SIGTERM or SIGHUP.",
             "A process that waits is counted once, however many of its callers do, and only when keyspace "
             "events wake it: the nodes are asked for the listeners of the key (PUBSUB NUMSUB). A hand-off "
             "between two looks that ends with the same holder is not seen, nor one between two callers of "
             "the same process, which keep the same value unless they use fencing tokens. Every look costs "
             "the nodes four commands for each key."},
        .arguments = {{.name = "KEY",
                       .help = "The key, without the key prefix; one or more",
                       .set = into(o->keys),
                       .repeated = true}},
        .options = {{.names = "--interval",
                     .value = "TIME",
                     .help = "From one look to the next; default 200ms",
                     .set = into(o->interval, milliseconds(10), std::chrono::hours(1))}},
        .examples = {{"redlock watch nightly-report deploy", "Who holds these two?"},
                     {"redlock watch --interval 1s deploy | tee -a deploy.log", "Keep a record of it"}},
        .exits = {{status_of_signal(2), "SIGINT, as by Ctrl-C; 128 + n for signal n"}, {usage, {}}},
        .run =
            [o](const config& nodes) {
                return with_client(nodes, [o](client& locks) { return watch(locks, *o); });
            },
    };
}

} // namespace redlock::tool
