#include "look/top_command.hpp"

#include "cli/exit_status.hpp"
#include "look/key_board.hpp"
#include "look/top_table.hpp"
#include "nodes/client_session.hpp"
#include "nodes/node_progress.hpp"
#include "text/key_input.hpp"
#include "text/live_screen.hpp"
#include "text/notice.hpp"
#include "text/terminal.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <iterator>
#include <memory>
#include <unistd.h>
#include <utility>

namespace redlock::tool {
namespace {

namespace asio = boost::asio;
using clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// Looks of six commands each at once: as many as hide the way to a far node, and few for the nodes.
constexpr std::size_t looks_at_once = 16;

struct top_options {
    std::string beginning{};
    std::string order = "waiting";
    milliseconds interval{1'000};
    milliseconds search_interval{5'000};
    std::uint64_t most_keys = 100;
    std::uint64_t looks = 0;
    bool json = false;
};

constexpr std::array<std::pair<const char*, key_order>, 4> orders{{{"waiting", key_order::waiting},
                                                                   {"grants", key_order::grants},
                                                                   {"age", key_order::age},
                                                                   {"name", key_order::name}}};

std::vector<std::string> names_of_orders() {
    std::vector<std::string> names;
    for (const auto& [name, order] : orders)
        names.emplace_back(name);
    return names;
}

/// The board as it is shown: on a terminal over and over, and by the keys that are pressed there.
class top {
public:
    top(const asio::any_io_executor& executor, const client& locks, const top_options& options)
        : options_(options), locks_(locks), board_(options.most_keys), pause_(executor), signals_(executor) {
        for (const auto& [name, order] : orders)
            if (options.order == name) order_ = order;
        if (options.json || ::isatty(STDOUT_FILENO) != 1) return;
        screen_.emplace();
        keys_.emplace(executor, [this](char pressed) { press(pressed); });
        signals_.add(SIGWINCH);
        signals_.add(SIGCONT);
        await_signal();
    }

    key_board& board() noexcept { return board_; }
    bool is_over() const noexcept { return over_; }

    void show() {
        complete_ = true;
        const metrics_snapshot metrics = locks_.metrics();
        if (options_.json)
            fmt::print("{}",
                       json_of(board_, metrics, order_, std::chrono::system_clock::now(), clock::now()));
        else {
            const reader where = reader_of(stdout);
            const std::string table = table_of(board_, metrics.nodes, order_, where, clock::now());
            fmt::print("{}", screen_ ? screen_->draw(table, where, rows_of(stdout)) : table + '\n');
        }
        std::fflush(stdout);
    }

    /// Until the next look, or until a key ends it all.
    asio::awaitable<void> pause(clock::time_point end) {
        if (over_) co_return;
        pause_.expires_at(end);
        auto [error] = co_await pause_.async_wait(asio::as_tuple(asio::deferred));
        if (error && !over_) throw boost::system::system_error(error);
    }

private:
    void press(char pressed) {
        for (const auto& [name, order] : orders)
            if (pressed == name[0]) order_ = order;
        if (pressed == 'q') {
            over_ = true;
            pause_.cancel();
        } else if (complete_)
            show();
    }

    void await_signal() {
        signals_.async_wait([this, life = std::weak_ptr(life_)](boost::system::error_code error, int signal) {
            if (error || life.expired()) return;
            if (signal == SIGCONT) keys_->resume();
            if (complete_) show();
            await_signal();
        });
    }

    const top_options& options_;
    const client& locks_;
    key_board board_;
    key_order order_ = key_order::waiting;
    std::optional<live_screen> screen_{};
    std::optional<key_input> keys_{};
    asio::steady_timer pause_;
    asio::signal_set signals_;
    bool complete_ = false; ///< there was a look at all keys
    bool over_ = false;
    std::shared_ptr<bool> life_ =
        std::make_shared<bool>(true); ///< a signal that came in time may be told too late
};

asio::awaitable<void> look_at_all(client& locks, key_board& board) {
    const std::vector<std::string> names = board.names();
    for (std::size_t begun = 0; begun < names.size(); begun += looks_at_once) {
        const std::size_t end = std::min(begun + looks_at_once, names.size());
        std::vector<decltype(locks.async_inspect(names[begun]))> looks;
        for (std::size_t i = begun; i < end; ++i)
            looks.push_back(locks.async_inspect(names[i]));
        auto all = asio::experimental::make_parallel_group(std::move(looks));
        auto [order, errors, reports] =
            co_await all.async_wait(asio::experimental::wait_for_all(), asio::deferred);
        for (std::size_t i = begun; i < end; ++i) {
            if (errors[i - begun]) throw boost::system::system_error(errors[i - begun], names[i]);
            board.saw(std::move(reports[i - begun]), names[i], clock::now());
        }
    }
}

// Once something was found, an outage is shown and not the end.
asio::awaitable<void> search(client& locks, const std::string& beginning, key_board& board, bool first) {
    const auto executor = co_await asio::this_coro::executor;
    std::optional<node_progress> progress;
    if (first) progress.emplace(executor, locks, "searching");
    auto [error, keys] = co_await locks.async_list(beginning, asio::as_tuple(asio::deferred));
    progress.reset();
    if (!error)
        board.found(keys);
    else if (first || error == asio::error::operation_aborted)
        throw boost::system::system_error(error);
}

asio::awaitable<int> show_all(client& locks, const top_options& options) {
    top all(co_await asio::this_coro::executor, locks, options);
    try {
        std::optional<clock::time_point> next_search;
        for (std::uint64_t look = 1;; ++look) {
            const clock::time_point begun = clock::now();
            if (!next_search || begun >= *next_search) {
                co_await search(locks, options.beginning, all.board(), !next_search);
                next_search = begun + options.search_interval;
            }
            co_await look_at_all(locks, all.board());
            all.show();
            if (look == options.looks) co_return fine;
            co_await all.pause(begun + options.interval);
            if (all.is_over()) co_return fine;
        }
    } catch (const boost::system::system_error& e) {
        print_notice(e.what());
        report_failed_nodes(locks);
        co_return status_of(e.code());
    }
}

} // namespace

command top_command() {
    const auto o = std::make_shared<top_options>();
    return {
        .name = "top",
        .summary = "Show all nodes and keys, as they change",
        .description =
            {"Searches the nodes for keys of locks, as redlock list does, looks at each again and "
             "again, and shows who "
             "holds it, since when, for how much longer, on how many nodes, how often it was seen "
             "to change hands in "
             "the last ten looks, and how many processes wait for it. Above stand the nodes: how "
             "they are, how many "
             "of the keys they have, and how far away they are.",
             "On a terminal the tables are drawn over and over, as much of them as fits. There w, "
             "g, a and n sort by "
             "who waits, grants, age and name, and q ends it. Elsewhere the tables are written "
             "one below the other. "
             "It goes on until then, until there were as many looks as --looks says, or until "
             "SIGINT, SIGTERM or "
             "SIGHUP.",
             "A search costs the nodes what redlock list does, and each look costs them six commands for "
             "a key. Hand-offs that redlock watch does not see are not seen here.",
             "With --json each look is one JSON object on a line."},
        .options =
            {{.names = "--beginning",
              .value = "TEXT",
              .help = "Keys that begin like this alone, without the key prefix",
              .set = into(o->beginning)},
             {.names = "--sort",
              .value = "ORDER",
              .help =
                  "What stands first: most waiting, most grants, greatest age, or by name; default waiting",
              .set = into(o->order),
              .choices = names_of_orders()},
             {.names = "--keys",
              .value = "N",
              .help = "Look at N keys at most; default 100",
              .set = into(o->most_keys, 1, 1'000)},
             {.names = "--interval",
              .value = "TIME",
              .help = "From one look to the next; default 1s",
              .set = into(o->interval, milliseconds(10), std::chrono::hours(1))},
             {.names = "--search",
              .value = "TIME",
              .help = "From one search for keys to the next; default 5s",
              .set = into(o->search_interval, milliseconds(10), std::chrono::hours(1))},
             {.names = "--looks",
              .value = "N",
              .help = "End after N looks",
              .set = into(o->looks, 1, 1'000'000'000)},
             {.names = "--json", .help = "Write JSON, a line for each look", .set = into(o->json)}},
        .examples = {{"redlock top", "What goes on?"},
                     {"redlock top --beginning report: --sort age",
                      "Which report has been locked the longest?"},
                     {"redlock top --json --looks 1 | jq '.keys | length'", "For a program"}},
        .exits = {{status_of_signal(2), "SIGINT, as by Ctrl-C; 128 + n for signal n"},
                  {refused, {}},
                  {no_quorum, "no node answered a search"},
                  {usage, {}}},
        .run =
            [o](const config& nodes) {
                return with_client(nodes, [o](client& locks) { return show_all(locks, *o); });
            },
    };
}

} // namespace redlock::tool
