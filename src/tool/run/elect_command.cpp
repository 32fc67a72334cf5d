#include "run/elect_command.hpp"

#include "cli/exit_status.hpp"
#include "process/this_process.hpp"
#include "run/lock_keeper.hpp"
#include "run/run_terms.hpp"

#include <redlock/leader_info.hpp>

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>

namespace redlock::tool {
namespace {

struct elect_options {
    std::string name{};
    std::optional<std::string> value{};
    run_terms terms{};
};

int elect(const elect_options& o, const config& nodes) {
    const std::string value = o.value ? *o.value : name_of_this_process();
    if (value.size() > max_leader_value_size)
        throw usage_error(fmt::format("--value wants at most {} bytes", max_leader_value_size));
    lock_plan plan{.nodes = nodes, .keys = {o.name}, .proclaimed = value};
    return run_on(o.terms, std::move(plan));
}

std::vector<option> options_of(elect_options& o) {
    std::vector<option> all{
        {.names = "--value",
         .value = "VALUE",
         .help = "What those who ask who leads are told, such as an address, of up to 4096 bytes; default "
                 "the name of the host and the number of the process, HOST:PID",
         .set = into(o.value)}};
    for (const auto& more : {options_of_waiting(o.terms), options_of_ending(o.terms)})
        all.insert(all.end(), more.begin(), more.end());
    return all;
}

} // namespace

command elect_command() {
    const auto o = std::make_shared<elect_options>();
    return {
        .name = "elect",
        .summary = "Run a command while leading",
        .description =
            {"Campaigns to lead NAME: waits until nobody else does, tells all who ask (redlock leader) that "
             "VALUE leads, runs COMMAND while it goes on leading, resigns when COMMAND ends, and ends with "
             "the status of COMMAND. COMMAND finds its term in REDLOCK_TERM: a number that is higher than "
             "those of all who led before, for whatever COMMAND acts on to compare.",
             "To lead is to hold the lock of that key. COMMAND is run, passed signals and ended like one of "
             "redlock run: see redlock-run(1). When the lead is lost it gets SIGTERM before anybody else can "
             "lead, and SIGKILL after the grace. Whoever is killed is told of until the ttl is over."},
        .arguments = {{.name = "NAME",
                       .help = "What is led: a key, without the key prefix",
                       .set = into(o->name)}},
        .options = options_of(*o),
        .tail = "COMMAND [ARGUMENT]...",
        .set_tail = into(o->terms.command),
        .tail_required = true,
        .examples = {{"redlock elect scheduler --value 10.0.0.1:80 -- ./scheduler",
                      "On several machines: one schedules, and all find out which"},
                     {"redlock elect --ttl 3s writer -- sh -c './write --term $REDLOCK_TERM'",
                      "Let the resource refuse whoever led before"}},
        .exits = {{held, "somebody else leads, and --try was given; the command did not run"},
                  {wait_timeout, "--wait passed while somebody else led; the command did not run"},
                  {no_quorum, "too few nodes answered for a majority; the command did not run"},
                  {refused, {}},
                  {lease_lost, "the lead was lost while the command ran, and the command was ended; or it "
                               "was found to be lost when the command had ended"},
                  {failed, {}},
                  {usage, {}},
                  {cannot_run, {}},
                  {not_found, {}}},
        .run = [o](const config& nodes) { return elect(*o, nodes); },
    };
}

} // namespace redlock::tool
