#include "look/inspect_command.hpp"

#include "cli/exit_status.hpp"
#include "look/key_table.hpp"
#include "nodes/client_session.hpp"
#include "nodes/node_progress.hpp"
#include "text/terminal.hpp"

#include <boost/asio/deferred.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

namespace redlock::tool {
namespace {

struct inspect_options {
    std::string key{};
    bool json = false;
    std::uint64_t permits = 1;
};

boost::asio::awaitable<int> inspect_permits(client& locks, const inspect_options& options) {
    permit_looks all;
    bool is_one_free = false, is_one_unknown = false;
    const auto executor = co_await boost::asio::this_coro::executor;
    for (std::uint64_t permit = 0; permit < options.permits; ++permit) {
        const std::string key = fmt::format("{}:{}", options.key, permit);
        key_report report;
        {
            const node_progress progress(executor, locks, "looking at " + key);
            report = co_await locks.async_inspect(key);
        }
        verdict found = judge(report);
        is_one_free = is_one_free || found.state == key_state::free;
        is_one_unknown = is_one_unknown || (found.state != key_state::free && found.state != key_state::held);
        all.push_back({std::move(report), std::move(found)});
    }
    fmt::print("{}",
               options.json ? json_of(options.key, all) : table_of(options.key, all, reader_of(stdout)));
    if (all.back().found.answers < all.back().found.all) report_failed_nodes(locks);
    co_return is_one_free ? fine : is_one_unknown ? no_quorum : held;
}

boost::asio::awaitable<int> inspect(client& locks, const inspect_options& options) {
    if (options.permits > 1) co_return co_await inspect_permits(locks, options);
    const auto executor = co_await boost::asio::this_coro::executor;
    key_report report;
    {
        const node_progress progress(executor, locks, "looking at " + options.key);
        report = co_await locks.async_inspect(options.key);
    }
    const verdict found = judge(report);
    fmt::print("{}", options.json ? json_of(report, found) : table_of(report, found, reader_of(stdout)));
    if (found.answers < found.all) report_failed_nodes(locks);
    co_return status_of(found);
}

} // namespace

command inspect_command() {
    const auto options = std::make_shared<inspect_options>();
    return {
        .name = "inspect",
        .summary = "Show who holds a key, as every node sees it",
        .description =
            {"Asks every node for the value of KEY, the time it has left there, its fencing counter and how "
             "many clients listen for its release, and says whether one holder has a majority. Nothing is "
             "changed. The answers were not taken at one instant: a key that changes hands meanwhile may "
             "look split.",
             "A node on which the key holds another type, a list for example, holds no lock there and "
             "refuses everybody who wants it.",
             "Of a key that is read (redlock run --read) it shows who reads it, 64 on each node at most; one "
             "who waits for them in order to write has the key already. A key that an unlock left there "
             "(--keep) looks as if it were held. With --permits every permit is looked at, which is a key "
             "of its own.",
             "With --json, bytes of the key or of a value that are no UTF-8 are written as \\xNN."},
        .arguments = {{.name = "KEY", .help = "The key, without the key prefix", .set = into(options->key)}},
        .options = {{.names = "--permits",
                     .value = "N",
                     .help = "How many may hold it at once, 1 to 64: show each permit",
                     .set = into(options->permits, 1, 64)},
                    {.names = "--json", .help = "Write JSON", .set = into(options->json)}},
        .examples = {{"redlock inspect nightly-report", "Who holds it, and for how long?"},
                     {"redlock inspect --permits 4 licence", "Which of four licences are taken?"},
                     {"redlock inspect --json nightly-report | jq .holder", "For a program"}},
        .exits = {{fine, "the key, or one of its permits, is free on a majority of nodes"},
                  {held, "one holder has a majority, or there are some who read"},
                  {split, {}},
                  {refused, "the key holds another type on so many nodes that nobody can have the lock"},
                  {no_quorum, "too few nodes answered to say"},
                  {usage, {}}},
        .run =
            [options](const config& nodes) {
                return with_client(nodes, [options](client& locks) { return inspect(locks, *options); });
            },
    };
}

} // namespace redlock::tool
