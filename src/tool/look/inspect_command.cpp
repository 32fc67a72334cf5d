#include "look/inspect_command.hpp"

#include "cli/client_session.hpp"
#include "cli/exit_status.hpp"
#include "look/key_table.hpp"
#include "text/terminal.hpp"

#include <boost/asio/deferred.hpp>
#include <boost/asio/redirect_error.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <memory>

namespace redlock::tool {
namespace {

struct inspect_options {
    std::string key{};
    bool json = false;
};

boost::asio::awaitable<int> inspect(client& locks, const inspect_options& options) {
    const key_report report = co_await locks.async_inspect(options.key);
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
             "With --json, bytes of the key or of a value that are no UTF-8 are written as \\xNN."},
        .arguments = {{.name = "KEY", .help = "The key, without the key prefix", .set = into(options->key)}},
        .options = {{.names = "--json", .help = "Write JSON", .set = into(options->json)}},
        .examples = {{"redlock inspect nightly-report", "Who holds it, and for how long?"},
                     {"redlock inspect --json nightly-report | jq .holder", "For a program"}},
        .exits = {{fine, "the key is free on a majority of nodes"},
                  {held, "one holder has a majority"},
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
