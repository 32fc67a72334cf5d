#include "look/inspect_command.hpp"

#include "cli/exit_status.hpp"
#include "look/permits.hpp"
#include "nodes/client_session.hpp"
#include "text/terminal.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

namespace redlock::tool {
namespace {

struct inspect_options {
    std::string key{};
    bool json = false;
    std::uint64_t permits = 1;
};

int status_of_all(const permit_looks& permits) noexcept {
    bool is_one_unknown = false;
    for (const permit_look& one : permits) {
        if (one.found.state == key_state::free) return fine;
        is_one_unknown = is_one_unknown || one.found.state != key_state::held;
    }
    return is_one_unknown ? no_quorum : held;
}

boost::asio::awaitable<int> inspect(client& locks, const inspect_options& options) {
    const permit_looks all = co_await look_at(locks, options.key, options.permits);
    const bool is_plain = all.size() == 1;
    const auto& [report, found] = all.front();
    if (options.json) {
        const std::string engine = locks.metrics().engine;
        fmt::print("{}", is_plain ? json_of(report, found, engine) : json_of(options.key, all, engine));
    } else
        fmt::print("{}", is_plain ? table_of(report, found, reader_of(stdout))
                                  : table_of(options.key, all, reader_of(stdout)));
    if (!have_all_answered(all)) report_failed_nodes(locks);
    co_return is_plain ? status_of(found) : status_of_all(all);
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
                     .set = into(options->permits, 1, most_permits)},
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
