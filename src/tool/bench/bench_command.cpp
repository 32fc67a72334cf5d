#include "bench/bench_command.hpp"

#include "bench/bench_run.hpp"
#include "bench/report/report_page.hpp"
#include "cli/exit_status.hpp"
#include "nodes/client_session.hpp"
#include "text/terminal.hpp"

#include <boost/asio/deferred.hpp>
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <memory>
#include <random>
#include <system_error>
#include <unistd.h>

namespace redlock::tool {
namespace {

using std::chrono::milliseconds;

constexpr std::uint64_t most_processes = 256;
constexpr std::uint64_t most_callers = 100'000;
constexpr std::uint64_t most_keys = 1'000'000'000;
constexpr std::uint64_t most_attempts = 1'000'000'000'000;
constexpr double most_rate = 1e7;
constexpr milliseconds longest_ttl{24 * 3'600'000};

struct bench_options {
    bench_plan plan{};
    std::optional<milliseconds> duration{};
    std::string arrivals = "poisson";
    bool json = false;
    bool quiet = false;
    std::optional<std::string> page{};
    std::string line{}; ///< the command line
};

setter into_distribution(bench_plan& plan) {
    return [&plan](const std::string& word) {
        const auto colon = word.find(':');
        const std::string name = word.substr(0, colon);
        if (name == "zipf") {
            plan.shape = key_shape::zipf;
            if (colon != std::string::npos) into(plan.exponent, 0.01, 10.0)(word.substr(colon + 1));
            return;
        }
        if (word != "one" && word != "uniform")
            throw usage_error(fmt::format("wants one, uniform, zipf or zipf:EXPONENT, not \"{}\"", word));
        plan.shape = word == "one" ? key_shape::one : key_shape::uniform;
    };
}

std::uint64_t drawn() {
    std::random_device device;
    return (std::uint64_t{device()} << 32) + device();
}

void complete(bench_options& o) {
    auto& plan = o.plan;
    plan.duration = o.duration.value_or(plan.count > 0 ? forever : milliseconds(10'000));
    plan.poisson = o.arrivals == "poisson";
    plan.seed = drawn();
    if (plan.prefix.empty()) plan.prefix = fmt::format("redlock-bench:{:016x}:", drawn());
    if (plan.count > 0 && plan.count < plan.processes)
        throw usage_error("--count wants at least one attempt for each process");
}

// Before the load, so that the run is not for nothing; what is there stays there until the run ends.
void check_page(const std::string& file) {
    if (!std::ofstream(file, std::ios::app)) throw std::system_error(errno, std::generic_category(), file);
}

void write_page(const std::string& file, const bench_report& report) {
    std::ofstream page(file);
    page << page_of(report) << std::flush;
    if (!page) throw std::system_error(errno, std::generic_category(), file);
}

std::string server_of(const node_examination& node) {
    return node.product.empty() ? node.version : fmt::format("{} {}", node.product, node.version);
}

boost::asio::awaitable<int> ask_for_versions(client& locks, std::vector<std::string>& servers) {
    for (const node_examination& node : co_await locks.async_examine())
        servers.push_back(server_of(node));
    co_return fine;
}

int run(bench_options& o, const config& nodes) {
    complete(o);
    if (o.page) check_page(*o.page);
    bench_origin origin = origin_here(o.line);
    // Who reads the report elsewhere, or later, cannot ask the nodes any more.
    if (o.page || o.json) {
        const auto ask = [&](client& locks) { return ask_for_versions(locks, origin.servers); };
        if (const int status = with_client(nodes, ask); status != fine) return status;
    }
    const bool terminal = ::isatty(STDERR_FILENO) == 1;
    bench_report report = run_bench(o.plan, nodes, {.quiet = o.quiet, .terminal = terminal});
    add_origin(report, std::move(origin));
    fmt::print("{}", o.json ? json_of(report) : table_of(report, reader_of(stdout)));
    std::fflush(stdout);
    if (o.page) write_page(*o.page, report);
    return status_of(report);
}

std::vector<option> load_options(bench_plan& plan) {
    return {
        {.names = "--processes",
         .value = "N",
         .help = "Processes that make the load; default 1",
         .set = into(plan.processes, 1, most_processes)},
        {.names = "--callers",
         .value = "N",
         .help = "Callers in each process, which take one lock at a time; default 64",
         .set = into(plan.callers, 1, most_callers)},
        {.names = "--keys",
         .value = "N",
         .help = "Different keys; default 1000",
         .set = into(plan.keys, 1, most_keys)},
        {.names = "--distribution",
         .value = "SHAPE",
         .help =
             "How often each key is asked for: one (only one key), uniform, zipf or zipf:EXPONENT; default "
             "uniform, and 1 for the exponent",
         .set = into_distribution(plan)},
        {.names = "--hold",
         .value = "TIME",
         .help = "How long a lock is held; default 0s",
         .set = into(plan.hold, milliseconds(0), longest_ttl)},
        {.names = "--ttl",
         .value = "TIME",
         .help = "The life of a key without renewal; default 10s",
         .set = into(plan.ttl, milliseconds(10), longest_ttl)},
        {.names = "--wait",
         .value = "TIME",
         .help = "Give up waiting for another holder after this; 0 for a single try, default forever",
         .set = into(plan.wait, milliseconds(0), forever)},
        {.names = "--fencing", .help = "Take a fencing token with every lock", .set = into(plan.fencing)},
    };
}

std::vector<option> run_options(bench_options& o) {
    return {
        {.names = "--duration",
         .value = "TIME",
         .help = "Length of the run; default 10s, or no limit with --count",
         .set = into(o.duration, milliseconds(1), forever)},
        {.names = "--count",
         .value = "N",
         .help = "End after so many attempts of all processes",
         .set = into(o.plan.count, 1, most_attempts)},
        {.names = "--rate",
         .value = "N",
         .help = "Open loop: begin N attempts a second, of all processes together, however long they take",
         .set = into(o.plan.rate, 0.001, most_rate)},
        {.names = "--arrivals",
         .value = "KIND",
         .help = "With --rate: at random (poisson), or evenly spaced (even); default poisson",
         .set = into(o.arrivals),
         .choices = {"poisson", "even"}},
        {.names = "--backlog",
         .value = "N",
         .help = "With --rate: drop what becomes due while N attempts wait for a caller; default 10000",
         .set = into(o.plan.backlog, 1, 10'000'000)},
        {.names = "--bench-prefix",
         .value = "TEXT",
         .help =
             "Put before the keys, behind --key-prefix; default redlock-bench: and a random number, so that "
             "no other key is touched",
         .set = into(o.plan.prefix)},
        {.names = "--interval",
         .value = "TIME",
         .help = "From one line of progress, and point of the charts, to the next; default 1s",
         .set = into(o.plan.interval, milliseconds(50), std::chrono::hours(1))},
        {.names = "--quiet", .help = "Show no progress", .set = into(o.quiet)},
        {.names = "--json", .help = "Write the report as JSON", .set = into(o.json)},
        {.names = "--html",
         .value = "FILE",
         .help = "Also write the report as a page with charts to this file",
         .set = into(o.page)},
    };
}

} // namespace

command bench_command() {
    const auto o = std::make_shared<bench_options>();
    std::vector<option> options = load_options(o->plan);
    for (auto& each : run_options(*o))
        options.push_back(std::move(each));
    return {
        .name = "bench",
        .summary = "Put load on the nodes and measure it",
        .description =
            {"Takes locks on the nodes, in several processes with many callers each, and reports how many a "
             "second, how long until the grant, what went wrong, and how each node did over time. Progress "
             "goes to standard error, the report to standard output. The nodes, this machine and the network "
             "are loaded as heavily as the options say: think before you name nodes that others use.",
             "Without --rate the loop is closed: a caller begins its next attempt when the one before has "
             "ended, so nodes that stall are asked less, and a stall counts once for each caller. With "
             "--rate "
             "the loop is open: attempts are due at times that do not depend on how those before went, and "
             "the time to the grant counts from when the attempt was due, not from when a caller was free "
             "for "
             "it. At most --callers attempts are on their way at once in each process, --backlog attempts "
             "wait "
             "for a caller in all processes together, and what becomes due while so many wait is dropped, "
             "counted and reported.",
             "A node counts as up for as long as the processes find that it takes requests; a silent one "
             "counts as down from when it has let --node-timeout pass. The lines of progress show how many "
             "nodes were up all the time since the line before, and everything else there a second.",
             "An attempt that fails for want of nodes is followed by a pause of --node-timeout. Attempts "
             "that "
             "are on their way when the run ends are cancelled and counted as cut off; what they would have "
             "taken is not in the latencies.",
             "SIGINT, SIGTERM and SIGHUP end the run early, with the report. All locks are given back before "
             "the command ends; a second signal ends it by force, and keys run out with their --ttl. When "
             "the "
             "command is killed, its processes give back what they hold and end. With --fencing the nodes "
             "keep "
             "the counters of fencing tokens, one for each key, for up to an hour and four minutes, since "
             "nothing "
             "but time removes them.",
             "Several runs, on several machines too, contend for the same keys when they have the same "
             "--bench-prefix."},
        .options = std::move(options),
        .examples = {{"redlock bench --processes 2 --callers 100 --duration 30s", "How many locks a second?"},
                     {"redlock bench --keys 100000 --distribution zipf:1.1 --hold 5ms --html report.html",
                      "A few keys are hot; draw charts"},
                     {"redlock bench --rate 500 --callers 200 --json | jq .latency_milliseconds.p99",
                      "How long do 500 attempts a second take, stalls included?"}},
        .exits = {{fine, "locks were granted, and all of them were given back"},
                  {held, "no lock was granted: others held the keys"},
                  {wait_timeout, "no lock was granted: --wait passed every time"},
                  {no_quorum, "no lock was granted: too few nodes answered"},
                  {lease_lost, "a lease was lost, or could not be given back"},
                  {refused, "no lock was granted: the nodes refuse what is asked of them"},
                  {failed, "a process of the load died, or a file cannot be written"},
                  {status_of_signal(2), "SIGINT, as by Ctrl-C, after the report; 128 + n for signal n"},
                  {usage, {}}},
        .take_line = [o](const std::string& line) { o->line = line; },
        .run = [o](const config& nodes) { return run(*o, nodes); },
    };
}

} // namespace redlock::tool
