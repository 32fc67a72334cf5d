#include "look/watch_command.hpp"

#include "cli/exit_status.hpp"
#include "look/permits.hpp"
#include "look/watch_table.hpp"
#include "nodes/client_session.hpp"
#include "text/live_screen.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <fmt/format.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <unistd.h>
#include <utility>

namespace redlock::tool {
namespace {

using std::chrono::milliseconds;

struct watch_options {
    std::vector<std::string> keys{};
    std::uint64_t permits = 1; ///< of each key
    milliseconds interval{200};
    bool json = false;
};

/// What is seen of the keys, on a terminal or line by line elsewhere.
class watching {
public:
    watching(boost::asio::any_io_executor executor, const watch_options& options)
        : json_(options.json), live_(!json_ && ::isatty(STDOUT_FILENO) == 1), resizes_(executor) {
        for (const auto& key : options.keys)
            for (std::string& one : permit_keys(key, options.permits))
                keys_.push_back({.key = std::move(one)});
        if (!live_) return;
        resizes_.add(SIGWINCH);
        await_resize();
    }

    std::vector<watched_key>& keys() noexcept { return keys_; }

    void saw(watched_key& key) {
        const verdict found = judge(key.report);
        const std::string change = key.history.update(found, std::chrono::steady_clock::now());
        if (live_ || change.empty()) return;
        fmt::print("{}", json_ ? json_of(key.report, found, change, std::chrono::system_clock::now())
                               : change_line(key, change));
    }

    void show() {
        complete_ = true;
        if (live_) fmt::print("{}", drawing());
        std::fflush(stdout);
    }

private:
    std::string drawing() {
        const reader where = reader_of(stdout);
        return screen_.draw(table_of(keys_, where), where, rows_of(stdout));
    }

    // The next look may be an hour away.
    void await_resize() {
        resizes_.async_wait([this, life = std::weak_ptr(life_)](boost::system::error_code error, int) {
            if (error || life.expired()) return;
            if (complete_) show();
            await_resize();
        });
    }

    bool json_;
    bool live_;
    bool complete_ = false; ///< every key was looked at
    std::vector<watched_key> keys_{};
    live_screen screen_{};
    boost::asio::signal_set resizes_;
    std::shared_ptr<bool> life_ =
        std::make_shared<bool>(true); ///< a signal that came in time may be told too late
};

boost::asio::awaitable<int> watch(client& locks, const watch_options& options) {
    const auto executor = co_await boost::asio::this_coro::executor;
    watching all(executor, options);
    boost::asio::steady_timer pause(executor);
    for (;;) {
        pause.expires_after(options.interval);
        for (auto& k : all.keys()) {
            k.report = co_await locks.async_inspect(k.key);
            all.saw(k);
        }
        all.show();
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
             "a terminal the table is drawn over and over, as much of it as fits; otherwise there is one "
             "line for each change. It "
             "goes on until SIGINT, SIGTERM or SIGHUP.",
             "A process that waits is counted once, however many of its callers do, and only when keyspace "
             "events wake it: the nodes are asked for the listeners of the key (PUBSUB NUMSUB). A hand-off "
             "between two looks that ends with the same holder is not seen, nor one between two callers of "
             "the same process, which keep the same value unless they use fencing tokens. Every look costs "
             "the nodes six commands for each key.",
             "With --json there is one JSON object on a line for each change, on a terminal too: when it was "
             "seen (UTC), in words what changed, and the key as redlock inspect --json shows it.",
             "A key that is read (--read) shows how many read it. With --permits there is a line for each "
             "permit, KEY:0 and so on."},
        .arguments = {{.name = "KEY",
                       .help = "The key, without the key prefix; one or more",
                       .set = into(o->keys),
                       .repeated = true}},
        .options = {{.names = "--permits",
                     .value = "N",
                     .help = "How many may hold each KEY at once, 1 to 64: watch each permit",
                     .set = into(o->permits, 1, most_permits)},
                    {.names = "--interval",
                     .value = "TIME",
                     .help = "From one look to the next; default 200ms",
                     .set = into(o->interval, milliseconds(10), std::chrono::hours(1))},
                    {.names = "--json", .help = "Write JSON, a line for each change", .set = into(o->json)}},
        .examples = {{"redlock watch nightly-report deploy", "Who holds these two?"},
                     {"redlock watch --permits 4 licence", "Who has which of four licences?"},
                     {"redlock watch --interval 1s deploy | tee -a deploy.log", "Keep a record of it"},
                     {"redlock watch --json deploy | jq --unbuffered .holder_label", "For a program"}},
        .exits = {{status_of_signal(2), "SIGINT, as by Ctrl-C; 128 + n for signal n"}, {usage, {}}},
        .run =
            [o](const config& nodes) {
                return with_client(nodes, [o](client& locks) { return watch(locks, *o); });
            },
    };
}

} // namespace redlock::tool
