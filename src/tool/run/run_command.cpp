#include "run/run_command.hpp"

#include "cli/exit_status.hpp"
#include "cli/login.hpp"
#include "process/supervisor.hpp"
#include "run/lock_keeper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

namespace redlock::tool {
namespace {

using std::chrono::milliseconds;

struct run_options {
    std::string key{};
    std::vector<std::string> command{};
    milliseconds ttl{10'000};
    std::optional<milliseconds> wait{};
    bool try_once = false;
    bool fencing = false;
    bool keeps_passwords = false;
    std::optional<milliseconds> grace{};
    milliseconds lock_delay{0};
};

constexpr milliseconds longest = std::chrono::hours(24 * 365);

// Nobody else may have the key while the command still runs. It is told at the end of the lease less the
// margin and killed after the grace, which must not be later than the key can be anybody else's.
milliseconds grace_of(const run_options& o) {
    const milliseconds grace = o.grace.value_or(o.ttl / 5);
    const milliseconds most = o.ttl * 2 / 5 + o.lock_delay;
    if (grace > most)
        throw usage_error(
            fmt::format("--grace wants at most {} with this --ttl and --lock-delay, since the command "
                        "would outlive the lock: two fifths of the ttl, and the lock delay",
                        text_of(most)));
    return grace;
}

milliseconds margin_of(const run_options& o, milliseconds grace) {
    return std::clamp(grace + o.ttl / 20, o.ttl / 10, o.ttl * 9 / 20);
}

int run(const run_options& o, const config& nodes) {
    if (o.try_once && o.wait) throw usage_error("takes --try or --wait, not both");
    const milliseconds grace = grace_of(o);
    const milliseconds margin = margin_of(o, grace);
    lock_plan plan{.nodes = nodes, .key = o.key, .grace = grace};
    plan.options.ttl = o.ttl;
    plan.options.wait = o.try_once ? milliseconds(0) : o.wait.value_or(forever);
    plan.options.stop_margin = margin;
    plan.options.lock_delay = o.lock_delay;
    plan.options.fencing = o.fencing;

    if (!o.keeps_passwords) forget_passwords_of_environment();
    const signal_intake signals;
    lease_end end;
    partner keeper([&](channel& line) { keep_lock(line, plan, end); });
    supervision settings{.command = o.command,
                         .grace = grace,
                         .margin = margin,
                         .overtime = o.lock_delay,
                         .end = &end,
                         .status_of_loss = lease_lost};
    return supervisor(std::move(settings), keeper, signals).run();
}

std::vector<option> options_of(run_options& o) {
    return {
        {.names = "--ttl",
         .value = "TIME",
         .help =
             "How long others have to wait at most after a crash, and the shortest silence of the nodes that "
             "loses the lock; default 10s",
         .set = into(o.ttl, milliseconds(100), longest)},
        {.names = "--wait",
         .value = "TIME",
         .help = "How long to wait while somebody else holds the key; default forever",
         .set = into(o.wait, milliseconds(0), forever)},
        {.names = "--try", .help = "Do not wait; the same as --wait 0", .set = into(o.try_once)},
        {.names = "--fencing",
         .help = "Give the command a fencing token in REDLOCK_FENCING_TOKEN",
         .set = into(o.fencing)},
        {.names = "--keep-passwords",
         .help = "Leave REDLOCK_PASSWORD, and REDLOCK_NODES with a password in it, in the environment of the "
                 "command; without it they are taken out",
         .set = into(o.keeps_passwords)},
        {.names = "--grace",
         .value = "TIME",
         .help = "Between SIGTERM and SIGKILL when the lock is lost; default a fifth of the ttl",
         .set = into(o.grace, milliseconds(0), longest)},
        {.names = "--lock-delay",
         .value = "TIME",
         .help = "After a crash or a loss, nobody gets the key for so much longer than the ttl; default 0s",
         .set = into(o.lock_delay, milliseconds(0), longest)},
    };
}

std::vector<std::string> description() {
    return {
        "Waits for the lock on KEY, runs COMMAND while renewing it, gives it back when COMMAND ends, and "
        "ends with "
        "the status of COMMAND. The lock is held for as long as COMMAND itself runs; what COMMAND leaves "
        "running in "
        "the background has it no longer.",
        "COMMAND runs in a process group of its own, with the standard streams of redlock. It gets the "
        "terminal "
        "when redlock is in the foreground and its input and output are the terminal, or as soon as it asks "
        "for it. "
        "SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT and SIGWINCH that are sent to "
        "redlock "
        "are passed on to that group. A command that is stopped from the terminal keeps the lock.",
        "When the lock is lost, because a majority of the nodes cannot be reached for long enough or no "
        "longer has "
        "the key, the group gets SIGTERM, and SIGKILL after the grace or when COMMAND has ended; with it "
        "everything "
        "that descends from COMMAND, in whatever group it is. SIGTERM is sent so early that the grace is "
        "over before "
        "anybody else can get the key, unless the key was removed on a majority of the nodes.",
        "redlock is two processes. The one that the user sees has COMMAND as its child; the other one, named "
        "redlock-partner, keeps the lock. When the first one is killed, even with SIGKILL, the system kills "
        "COMMAND "
        "and the partner kills the rest of its process group, then gives the lock back. When the partner is "
        "killed or stopped, the first one ends COMMAND as after a loss, before the lock runs out. Out of "
        "reach is "
        "only what has left the process group, by setsid(2) or setpgid(2), when the first one is killed; "
        "what "
        "COMMAND has left in its group when both are killed at the same moment; and a COMMAND that runs with "
        "the "
        "rights of another user (set-user-ID programs), which the system does not let redlock signal."};
}

} // namespace

command run_command() {
    const auto o = std::make_shared<run_options>();
    return {
        .name = "run",
        .summary = "Run a command while holding a lock",
        .description = description(),
        .arguments = {{.name = "KEY", .help = "The key, without the key prefix", .set = into(o->key)}},
        .options = options_of(*o),
        .tail = "COMMAND [ARGUMENT]...",
        .set_tail = into(o->command),
        .tail_required = true,
        .examples = {{"redlock run nightly-report -- ./report.sh",
                      "On one machine at a time, the others after it"},
                     {"redlock run --try nightly-report -- ./report.sh",
                      "From cron on many machines: one does it"},
                     {"redlock run --wait 30s --ttl 5s deploy -- make deploy", "Wait half a minute at most"},
                     {"redlock run --fencing stock -- sh -c './write --fence $REDLOCK_FENCING_TOKEN'",
                      "Let the resource refuse whoever comes too late"}},
        .exits = {{held, "somebody else holds the key, and --try was given; the command did not run"},
                  {wait_timeout, "--wait passed; the command did not run"},
                  {no_quorum, "too few nodes answered for a majority; the command did not run"},
                  {refused, {}},
                  {lease_lost,
                   "the lock was lost while the command ran, and the command was ended; or it was found "
                   "to be lost when the command had ended"},
                  {failed, {}},
                  {usage, {}},
                  {cannot_run, {}},
                  {not_found, {}}},
        .run = [o](const config& nodes) { return run(*o, nodes); },
    };
}

} // namespace redlock::tool
