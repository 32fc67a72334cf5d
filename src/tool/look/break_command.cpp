#include "look/break_command.hpp"

#include "cli/exit_status.hpp"
#include "look/break_report.hpp"
#include "look/key_table.hpp"
#include "nodes/client_session.hpp"
#include "nodes/node_progress.hpp"
#include "text/notice.hpp"
#include "text/terminal.hpp"

#include <boost/asio/deferred.hpp>
#include <boost/asio/this_coro.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <unistd.h>

namespace redlock::tool {
namespace {

struct break_options {
    std::string key{};
    bool yes = false;
    bool json = false;
};

boost::asio::awaitable<int> look(client& locks, const std::string& key, key_report& shown) {
    const auto executor = co_await boost::asio::this_coro::executor;
    {
        const node_progress progress(executor, locks, "looking at " + key);
        shown = co_await locks.async_inspect(key);
    }
    if (judge(shown).answers < shown.nodes.size()) report_failed_nodes(locks);
    co_return fine;
}

boost::asio::awaitable<int> remove(client& locks, const key_report& shown, bool json) {
    const auto executor = co_await boost::asio::this_coro::executor;
    break_report done;
    {
        const node_progress progress(executor, locks, "removing " + shown.key);
        done = co_await locks.async_break(shown);
    }
    fmt::print("{}", json ? json_of(done) : table_of(done, reader_of(stdout)));
    co_return status_of(done);
}

bool is_confirmed(std::FILE* where) {
    const char* const warning =
        "The holder is not told: until its next renewal it goes on as if it held the lock.";
    fmt::print(where,
               "{}\nBreak the lock? Type yes to do so: ", wrapped(warning, reader_of(where).width, 0, 0));
    std::fflush(where);
    std::string answer;
    return std::getline(std::cin, answer) && answer == "yes";
}

// The loop does not run while the user thinks, so that the client is one of its own for each of the two
// steps.
int break_lock(const config& nodes, const break_options& options) {
    if (!options.yes && ::isatty(STDIN_FILENO) == 0)
        throw usage_error(
            "break wants --yes where standard input is no terminal, to ask for confirmation there");
    key_report shown;
    if (const int status = with_client(nodes, [&](client& locks) { return look(locks, options.key, shown); });
        status != fine)
        return status;
    std::FILE* const where = options.json ? stderr : stdout;
    const verdict found = judge(shown);
    if (!options.json || !options.yes) fmt::print(where, "{}", table_of(shown, found, reader_of(where)));
    if (!shows_holder(shown)) {
        break_report nothing;
        nothing.key = shown.key;
        if (options.json) fmt::print("{}", json_of(nothing));
        // It is free, or is no lock, or the nodes do not tell.
        return found.state == key_state::free ? unchanged : status_of(found);
    }
    if (!options.yes && !is_confirmed(where)) {
        print_notice("nothing was removed");
        return unchanged;
    }
    std::fflush(where);
    return with_client(nodes, [&](client& locks) { return remove(locks, shown, options.json); });
}

} // namespace

command break_command() {
    const auto options = std::make_shared<break_options>();
    return {
        .name = "break",
        .summary = "Take a lock away from its holder",
        .description =
            {"Shows who holds KEY, asks for confirmation, and removes the key from every node on "
             "which it still has "
             "the value that was shown; from a node that did not answer, the value that a "
             "majority has. A key that "
             "was released or changed hands meanwhile is left alone.",
             "Of a key that is read, those who read are removed as they were shown, 64 on a node; one who "
             "waits for them to write, and has the key meanwhile, loses it and asks for it again "
             "behind those who wait. A permit is broken by its own key, KEY:0 and so on.",
             "The holder is told nothing. If it still runs, it finds its lease lost at its next "
             "renewal, or at the "
             "end of its ttl at the latest; until then it and the next holder both believe that "
             "they hold the lock. "
             "Use it for locks whose holder is known to be gone, and let what the lock protects "
             "check fencing "
             "tokens: those of the broken lease are lower than all that come after it."},
        .arguments = {{.name = "KEY", .help = "The key, without the key prefix", .set = into(options->key)}},
        .options = {{.names = "-y,--yes", .help = "Do not ask for confirmation", .set = into(options->yes)},
                    {.names = "--json",
                     .help = "Write what became of it as JSON",
                     .set = into(options->json)}},
        .examples = {{"redlock break nightly-report",
                      "The machine that held it is gone, and the ttl is a day"},
                     {"redlock break --yes --json nightly-report | jq .removed", "In a script"}},
        .exits = {{fine, "the key was removed, and what was shown is left on no majority"},
                  {unchanged, "nothing was removed: the key is free, not confirmed, or changed meanwhile"},
                  {no_quorum, "too few nodes answered"},
                  {refused,
                   "the nodes refused, for want of rights for example, or the key holds another type"},
                  {usage, {}}},
        .run = [options](const config& nodes) { return break_lock(nodes, *options); },
    };
}

} // namespace redlock::tool
