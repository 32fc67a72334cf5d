#include "look/break_command.hpp"

#include "cli/exit_status.hpp"
#include "look/break_report.hpp"
#include "look/permits.hpp"
#include "nodes/client_session.hpp"
#include "nodes/node_progress.hpp"
#include "text/notice.hpp"
#include "text/terminal.hpp"

#include <boost/asio/this_coro.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <unistd.h>

namespace redlock::tool {
namespace {

struct break_options {
    std::string key{};
    std::uint64_t permits = 1;
    bool yes = false;
    bool json = false;
};

boost::asio::awaitable<int> look(client& locks, const break_options& options, permit_looks& shown) {
    shown = co_await look_at(locks, options.key, options.permits);
    if (!have_all_answered(shown)) report_failed_nodes(locks);
    co_return fine;
}

boost::asio::awaitable<break_report> remove(client& locks, const key_report& shown) {
    const auto executor = co_await boost::asio::this_coro::executor;
    const node_progress progress(executor, locks, "removing " + shown.key);
    co_return co_await locks.async_break(shown);
}

/// Where nothing was removed.
std::string nothing_done(const key_report& shown) {
    break_report nothing;
    nothing.key = shown.key;
    return json_of(nothing);
}

/// The worse of two exit statuses of keys, for a script may not go on where one is left.
int worse(int one, int other) noexcept {
    return one == fine || (one == unchanged && other != fine) ? other : one;
}

/// Of a key that no node shows a holder of: it is free, or is no lock, or the nodes do not tell.
int status_of_unheld(const permit_look& one, int if_free) noexcept {
    return one.found.state == key_state::free ? if_free : status_of(one.found);
}

boost::asio::awaitable<int> remove_all(client& locks, const permit_looks& shown, bool json) {
    int worst = fine;
    for (const permit_look& one : shown) {
        if (!shows_holder(one.report)) {
            if (json) fmt::print("{}", nothing_done(one.report));
            worst = worse(worst, status_of_unheld(one, fine));
            continue;
        }
        const break_report done = co_await remove(locks, one.report);
        fmt::print("{}", json ? json_of(done) : table_of(done, reader_of(stdout)));
        worst = worse(worst, status_of(done));
    }
    co_return worst;
}

bool is_confirmed(std::FILE* where, std::size_t permits) {
    const char* const warning =
        permits > 1 ? "The holders are not told: until their next renewals they go on as if they had permits."
                    : "The holder is not told: until its next renewal it goes on as if it held the lock.";
    fmt::print(where, "{}\nBreak {}? Type yes to do so: ", wrapped(warning, reader_of(where).width, 0, 0),
               permits > 1 ? "all that are taken" : "the lock");
    std::fflush(where);
    std::string answer;
    return std::getline(std::cin, answer) && answer == "yes";
}

std::string shown_as(const std::string& key, const permit_looks& shown, std::FILE* where) {
    return shown.size() > 1 ? table_of(key, shown, reader_of(where))
                            : table_of(shown.front().report, shown.front().found, reader_of(where));
}

int nothing_to_break(const permit_looks& shown, bool json) {
    int worst = unchanged;
    for (const permit_look& one : shown) {
        if (json) fmt::print("{}", nothing_done(one.report));
        worst = worse(worst, status_of_unheld(one, unchanged));
    }
    return worst;
}

// The loop does not run while the user thinks, so that the client is one of its own for each of the two
// steps.
int break_lock(const config& nodes, const break_options& options) {
    if (!options.yes && ::isatty(STDIN_FILENO) == 0)
        throw usage_error(
            "break wants --yes where standard input is no terminal, to ask for confirmation there");
    permit_looks shown;
    if (const int status = with_client(nodes, [&](client& locks) { return look(locks, options, shown); });
        status != fine)
        return status;
    std::FILE* const where = options.json ? stderr : stdout;
    if (!options.json || !options.yes) fmt::print(where, "{}", shown_as(options.key, shown, where));
    if (std::ranges::none_of(shown, shows_holder, &permit_look::report))
        return nothing_to_break(shown, options.json);
    if (!options.yes && !is_confirmed(where, shown.size())) {
        print_notice("nothing was removed");
        return unchanged;
    }
    std::fflush(where);
    return with_client(nodes, [&](client& locks) { return remove_all(locks, shown, options.json); });
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
             "behind those who wait. With --permits all permits that are taken are broken, each with a "
             "report of "
             "its own; a single one is broken by its own key, KEY:0 and so on.",
             "The holder is told nothing. If it still runs, it finds its lease lost at its next "
             "renewal, or at the "
             "end of its ttl at the latest; until then it and the next holder both believe that "
             "they hold the lock. "
             "Use it for locks whose holder is known to be gone, and let what the lock protects "
             "check fencing "
             "tokens: those of the broken lease are lower than all that come after it."},
        .arguments = {{.name = "KEY", .help = "The key, without the key prefix", .set = into(options->key)}},
        .options = {{.names = "--permits",
                     .value = "N",
                     .help = "How many may hold it at once, 1 to 64: break each permit that is taken",
                     .set = into(options->permits, 1, most_permits)},
                    {.names = "-y,--yes", .help = "Do not ask for confirmation", .set = into(options->yes)},
                    {.names = "--json",
                     .help = "Write what became of it as JSON",
                     .set = into(options->json)}},
        .examples = {{"redlock break nightly-report",
                      "The machine that held it is gone, and the ttl is a day"},
                     {"redlock break --permits 4 licence", "All four licences, of machines that are gone"},
                     {"redlock break --yes --json nightly-report | jq .removed", "In a script"}},
        .exits = {{fine, "each key was removed, and what was shown is left on no majority"},
                  {unchanged, "nothing was removed: the key is free, not confirmed, or changed meanwhile"},
                  {no_quorum, "too few nodes answered"},
                  {refused,
                   "the nodes refused, for want of rights for example, or the key holds another type"},
                  {usage, {}}},
        .run = [options](const config& nodes) { return break_lock(nodes, *options); },
    };
}

} // namespace redlock::tool
