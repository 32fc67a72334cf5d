#include "look/list_command.hpp"

#include "cli/exit_status.hpp"
#include "nodes/client_session.hpp"
#include "nodes/node_progress.hpp"
#include "text/json_line.hpp"
#include "text/notice.hpp"
#include "text/printable.hpp"

#include <redlock/key_list.hpp>

#include <boost/asio/this_coro.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/system/system_error.hpp>
#include <fmt/format.h>

#include <memory>
#include <string>

namespace redlock::tool {
namespace {

struct list_options {
    std::string beginning{};
    bool json = false;
};

std::string json_of(const key_list& found) {
    boost::json::array keys(found.keys.begin(), found.keys.end());
    return json_line({{"keys", std::move(keys)}, {"more", found.more}});
}

void show(const key_list& found, bool json) {
    if (json) {
        fmt::print("{}", json_of(found));
        return;
    }
    for (const std::string& key : found.keys)
        fmt::print("{}\n", printable(key));
    if (found.more) print_notice("there may be more keys than these");
}

boost::asio::awaitable<int> list(client& locks, const list_options& options) {
    const auto executor = co_await boost::asio::this_coro::executor;
    try {
        key_list found;
        {
            const node_progress progress(executor, locks, "searching");
            found = co_await locks.async_list(options.beginning);
        }
        show(found, options.json);
        co_return fine;
    } catch (const boost::system::system_error& e) {
        print_notice(e.what());
        report_failed_nodes(locks);
        co_return status_of(e.code());
    }
}

} // namespace

command list_command() {
    const auto o = std::make_shared<list_options>();
    return {
        .name = "list",
        .summary = "Show which keys are held or waited for",
        .description =
            {fmt::format(
                 "Searches the nodes for keys of locks and writes each on a line, {} at most, in the order "
                 "of "
                 "their bytes. Some node has the key, held, read or waited for, at the time of the search; "
                 "redlock inspect says who has it on how many nodes.",
                 most_listed_keys),
             "Redis nodes go through all the keys that they have (SCAN), a thousand with each command, and "
             "are given up behind a million: where there are many keys that are no locks, this is dear for "
             "them; the servers of a cluster do so one after another. A database reads its table of locks, "
             "and knows those alone that are held.",
             "With --json, bytes of a key that are no UTF-8 are written as \\xNN."},
        .options = {{.names = "--beginning",
                     .value = "TEXT",
                     .help = "Keys that begin like this alone, without the key prefix",
                     .set = into(o->beginning)},
                    {.names = "--json", .help = "Write JSON", .set = into(o->json)}},
        .examples = {{"redlock list", "What is locked now?"},
                     {"redlock list --beginning report: | xargs redlock watch", "Watch all reports"}},
        .exits = {{refused, {}}, {no_quorum, "no node answered"}, {usage, {}}},
        .run =
            [o](const config& nodes) {
                return with_client(nodes, [o](client& locks) { return list(locks, *o); });
            },
    };
}

} // namespace redlock::tool
