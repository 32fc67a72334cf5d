#include "run/run_command.hpp"

#include "cli/exit_status.hpp"
#include "run/lock_keeper.hpp"
#include "run/run_terms.hpp"

#include <memory>
#include <utility>

namespace redlock::tool {
namespace {

using std::chrono::milliseconds;

struct run_options {
    std::vector<std::string> keys{};
    run_terms terms{};
    bool fencing = false;
    milliseconds keep{0};
    std::uint64_t permits = 1;
    bool reads = false;
    bool writes = false;
};

int run(const run_options& o, const config& nodes) {
    if (o.reads && o.writes) throw usage_error("takes --read or --write, not both");
    if ((o.reads || o.writes) && o.permits > 1)
        throw usage_error("takes --permits or --read and --write, not both");
    if (o.reads && o.keys.size() > 1) throw usage_error("takes one KEY with --read");
    if (o.permits > 1 && o.keys.size() > 1) throw usage_error("takes one KEY with --permits");
    lock_plan plan{.nodes = nodes, .keys = o.keys};
    plan.options.fencing = o.fencing;
    plan.options.keep = o.keep;
    plan.options.permits = static_cast<unsigned>(o.permits);
    if (o.reads) plan.options.mode = mode::read;
    if (o.writes) plan.options.mode = mode::write;
    return run_on(o.terms, std::move(plan));
}

std::vector<option> options_of(run_options& o) {
    std::vector<option> all = options_of_waiting(o.terms);
    const std::vector<option> own{
        {.names = "--fencing",
         .help = "Give the command a fencing token in REDLOCK_FENCING_TOKEN; of several keys one for each, "
                 "in their order, with spaces between",
         .set = into(o.fencing)},
        {.names = "--read",
         .help = "Share the lock with others that read; those that write wait",
         .set = into(o.reads)},
        {.names = "--write",
         .help = "Share the lock with nobody, and wait for those that read; all who use KEY read or write",
         .set = into(o.writes)},
        {.names = "--permits",
         .value = "NUMBER",
         .help = "So many commands may run at once under KEY, up to 64, when all are given the same number; "
                 "COMMAND finds which of them it is in REDLOCK_SLOT, from 0; default 1",
         .set = into(o.permits, 1, 64)},
        {.names = "--keep",
         .value = "TIME",
         .help = "Leave the key until so long after COMMAND began, if COMMAND ends earlier: nobody else runs "
                 "before, whatever his clock says; default 0s",
         .set = into(o.keep, milliseconds(0), longest_time)},
    };
    all.insert(all.end(), own.begin(), own.end());
    const std::vector<option> ends = options_of_ending(o.terms);
    all.insert(all.end(), ends.begin(), ends.end());
    return all;
}

std::vector<std::string> description() {
    return {
        "Waits for the lock on KEY, or on all of several keys, runs COMMAND while renewing it, gives it back "
        "when COMMAND ends, and "
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
        .arguments = {{.name = "KEY",
                       .help = "The key, without the key prefix; of several keys all or none are taken",
                       .set = into(o->keys),
                       .repeated = true}},
        .options = options_of(*o),
        .tail = "COMMAND [ARGUMENT]...",
        .set_tail = into(o->terms.command),
        .tail_required = true,
        .examples =
            {{"redlock run nightly-report -- ./report.sh", "On one machine at a time, the others after it"},
             {"redlock run --try nightly-report -- ./report.sh", "From cron on many machines: one does it"},
             {"redlock run --try --keep 10m nightly -- ./report.sh",
              "Likewise, although their clocks differ and the report takes seconds"},
             {"redlock run --permits 4 encoder -- ./encode.sh", "Four at a time"},
             {"redlock run --read catalogue -- ./export.sh", "Beside others that read, and no writer"},
             {"redlock run account:1 account:2 -- ./transfer.sh", "With both accounts, or not at all"},
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
