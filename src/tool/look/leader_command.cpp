#include "look/leader_command.hpp"

#include "cli/exit_status.hpp"
#include "cli/option_words.hpp"
#include "nodes/client_session.hpp"
#include "text/json_line.hpp"
#include "text/printable.hpp"

#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/json/object.hpp>
#include <boost/system/system_error.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

namespace redlock::tool {
namespace {

namespace asio = boost::asio;
using std::chrono::milliseconds;

struct leader_options {
    std::string name{};
    bool follow = false;
    bool json = false;
};

// Connections are made meanwhile, and a node that does not answer is found to be late.
constexpr milliseconds shortest_patience{2'000};

std::string line_of(const leader_info& told, const leader_options& options) {
    if (options.json) {
        boost::json::object line{{"name", options.name}, {"leader", nullptr}};
        if (told.present) line["leader"] = told.value;
        line["term"] = told.mark.term;
        if (told.present) line["version"] = told.mark.version;
        return json_line(line);
    }
    if (!told.present) return "nobody leads\n";
    return fmt::format("{} leads in term {}\n", printable(told.value), told.mark.term);
}

/// Nothing when too few nodes answer for so long.
asio::awaitable<std::optional<leader_info>> look_for(milliseconds patience, client& locks,
                                                     const std::string& name) {
    asio::steady_timer timer(co_await asio::this_coro::executor, patience);
    auto either =
        asio::experimental::make_parallel_group(locks.async_observe(name), timer.async_wait(asio::deferred));
    auto [order, error, told, elapsed] =
        co_await either.async_wait(asio::experimental::wait_for_one(), asio::deferred);
    if (!error) co_return std::move(told);
    if (order[0] == 0) throw boost::system::system_error(error);
    co_return std::nullopt;
}

asio::awaitable<int> show(client& locks, const leader_options& options, milliseconds patience) {
    std::optional<leader_info> told = co_await look_for(patience, locks, options.name);
    if (!told) {
        report_failed_nodes(locks);
        if (!options.follow) co_return no_quorum;
        told.emplace(co_await locks.async_observe(options.name));
    }
    for (;;) {
        fmt::print("{}", line_of(*told, options));
        std::fflush(stdout);
        if (!options.follow) co_return told->present ? fine : no_leader;
        const leader_mark known = told->mark;
        told.emplace(co_await locks.async_observe(options.name, known));
    }
}

// What the nodes refuse has a status of its own.
int run(const config& nodes, const leader_options& options) {
    const milliseconds patience = std::max(shortest_patience, 3 * nodes.node_timeout);
    return with_client(nodes, [&](client& locks) -> asio::awaitable<int> {
        int status = fine;
        try {
            co_return co_await show(locks, options, patience);
        } catch (const boost::system::system_error& e) {
            status = status_of(e.code());
            if (status == usage) throw usage_error(in_options(e.code().message()));
            if (status == failed) throw;
        }
        report_failed_nodes(locks);
        co_return status;
    });
}

} // namespace

command leader_command() {
    const auto o = std::make_shared<leader_options>();
    return {
        .name = "leader",
        .summary = "Say who leads",
        .description =
            {"Asks the nodes who leads NAME, as redlock elect or a program proclaims it, and writes the "
             "value "
             "and the term. With --follow goes on with a line for each change until SIGINT, SIGTERM or "
             "SIGHUP: terms never fall, though some may be left out when they change quickly.",
             "A leader that crashed is told of until its ttl is over. With --json, bytes of the value that "
             "are no UTF-8 are written as \\xNN, and \"leader\" is null when nobody leads."},
        .arguments = {{.name = "NAME",
                       .help = "What is led: a key, without the key prefix",
                       .set = into(o->name)}},
        .options = {{.names = "--follow", .help = "Go on, with each change", .set = into(o->follow)},
                    {.names = "--json", .help = "Write JSON, a line for each", .set = into(o->json)}},
        .examples = {{"redlock leader scheduler", "Who leads?"},
                     {"redlock leader --follow --json scheduler | jq -r .leader", "For a program"}},
        .exits = {{fine, "somebody leads"},
                  {no_leader, {}},
                  {no_quorum, "too few nodes answered to say"},
                  {refused, {}},
                  {status_of_signal(2), "SIGINT, as by Ctrl-C, with --follow; 128 + n for signal n"},
                  {usage, {}}},
        .run = [o](const config& nodes) { return run(nodes, *o); },
    };
}

} // namespace redlock::tool
