#include "run/run_terms.hpp"

#include "cli/exit_status.hpp"
#include "nodes/login.hpp"
#include "process/supervisor.hpp"
#include "process/this_process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace redlock::tool {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t longest_label = 64;

// Nobody else may have the key while the command still runs. It is told at the end of the lease less the
// margin and killed after the grace, which must not be later than the key can be anybody else's.
milliseconds grace_of(const run_terms& o) {
    const milliseconds grace = o.grace.value_or(o.ttl / 5);
    const milliseconds most = o.ttl * 2 / 5 + o.lock_delay;
    if (grace > most)
        throw usage_error(
            fmt::format("--grace wants at most {} with this --ttl and --lock-delay, since the command "
                        "would outlive the lock: two fifths of the ttl, and the lock delay",
                        text_of(most)));
    return grace;
}

milliseconds margin_of(const run_terms& o, milliseconds grace) {
    return std::clamp(grace + o.ttl / 20, o.ttl / 10, o.ttl * 9 / 20);
}

} // namespace

std::vector<option> options_of_waiting(run_terms& o) {
    return {
        {.names = "--ttl",
         .value = "TIME",
         .help =
             "How long others have to wait at most after a crash, and the shortest silence of the nodes that "
             "loses the lock; default 10s",
         .set = into(o.ttl, milliseconds(100), longest_time)},
        {.names = "--wait",
         .value = "TIME",
         .help = "How long to wait while somebody else holds the key; default forever",
         .set = into(o.wait, milliseconds(0), forever)},
        {.names = "--try", .help = "Do not wait; the same as --wait 0", .set = into(o.try_once)},
    };
}

std::vector<option> options_of_ending(run_terms& o) {
    return {
        {.names = "--keep-passwords",
         .help = "Leave REDLOCK_PASSWORD, and REDLOCK_NODES and REDLOCK_BACKUP with a password in them, in "
                 "the environment of the "
                 "command; without it they are taken out",
         .set = into(o.keeps_passwords)},
        {.names = "--grace",
         .value = "TIME",
         .help = "Between SIGTERM and SIGKILL when the lock is lost; default a fifth of the ttl",
         .set = into(o.grace, milliseconds(0), longest_time)},
        {.names = "--lock-delay",
         .value = "TIME",
         .help = "After a crash or a loss, nobody gets the key for so much longer than the ttl; default 0s",
         .set = into(o.lock_delay, milliseconds(0), longest_time)},
        {.names = "--label",
         .value = "TEXT",
         .help = "Who holds the lock, for whoever looks at it (redlock inspect), up to 64 bytes; default the "
                 "name of the host and the number of the process, HOST:PID; nothing if it is empty",
         .set = into(o.label)},
    };
}

int run_on(const run_terms& o, lock_plan plan) {
    if (o.try_once && o.wait) throw usage_error("takes --try or --wait, not both");
    const milliseconds grace = grace_of(o);
    const milliseconds margin = margin_of(o, grace);
    plan.grace = grace;
    plan.options.ttl = o.ttl;
    plan.options.wait = o.try_once ? milliseconds(0) : o.wait.value_or(forever);
    plan.options.stop_margin = margin;
    plan.options.lock_delay = o.lock_delay;

    plan.nodes.holder_label = o.label ? *o.label : name_of_this_process(longest_label);

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

} // namespace redlock::tool
