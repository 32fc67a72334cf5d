#include "contention/figures.hpp"
#include "contention/guest_report.hpp"
#include "contention/handoff_rounds.hpp"
#include "contention/kind_report.hpp"
#include "contention/least_disturbed.hpp"
#include "contention/npm_processes.hpp"
#include "contention/order_report.hpp"
#include "contention/processes.hpp"
#include "contention/report.hpp"
#include "contention/scenarios.hpp"
#include "contention/yardstick.hpp"
#include "interruption.hpp"
#include "support/node_set.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <stdexcept>

namespace {

/// What the command line asks for.
struct options {
    bool quick = false;
    bool check = false;
    bool help = false;
    std::string only; ///< see `id_of`
    std::string npm;  ///< folder with the npm packages
    std::string json;
};

constexpr const char* usage =
    "usage: contention_bench [--quick] [--only NAME] [--npm FOLDER] [--check] [--json FILE]\n"
    "Lets processes contend for keys on five redis-server processes of its own.\n"
    "Where a virtual machine's host gives its processors to others meanwhile, a scenario is run up to\n"
    "four times, and the run with the least of that counts.\n"
    "The scenarios \"order\" are a sweep over processes and holds, and say how long anybody waited.\n"
    "  --quick        a second for each scenario, once\n"
    "  --only NAME    scenarios whose name, processes and hold begin like this: order, \"order 8 x 0.3\"\n"
    "  --npm FOLDER   also npm redlock, installed there\n"
    "  --check        exit with status 1 when a limit is not kept\n"
    "  --json FILE    all figures, for plot.sh\n";

options parse(const std::vector<std::string>& arguments) {
    options o;
    for (auto a = arguments.begin(); a != arguments.end(); ++a) {
        const auto value = [&] {
            if (a + 1 == arguments.end()) throw std::invalid_argument(*a + " wants a value");
            return *++a;
        };
        if (*a == "--quick")
            o.quick = true;
        else if (*a == "--check")
            o.check = true;
        else if (*a == "--help")
            o.help = true;
        else if (*a == "--only")
            o.only = value();
        else if (*a == "--npm")
            o.npm = value();
        else if (*a == "--json")
            o.json = value();
        else
            throw std::invalid_argument("unknown argument \"" + *a + "\"");
    }
    return o;
}

/// How a group of scenarios is printed.
struct table {
    std::string (*head)();
    std::string (*row)(const bench::contention_result&);
};

table table_of(const bench::scenario& s) {
    if (s.name == bench::order_name) return {bench::order_head, bench::order_row};
    if (s.name == bench::guest_name) return {bench::guest_head, bench::guest_row};
    if (s.name == bench::kind_name) return {bench::kind_head, bench::kind_row};
    return {bench::head, bench::row};
}

void add(bench::contention_findings& f, const bench::contention_result& r) {
    const table t = table_of(r.what);
    if (f.results.empty() || table_of(f.results.back().what).head != t.head) fmt::print("{}", t.head());
    f.results.push_back(r);
    fmt::print("{}", t.row(r));
    std::fflush(stdout);
}

bench::course run_once(const bench::scenario& s, const std::vector<std::string>& nodes,
                       const std::string& npm) {
    if (s.npm > 0) return bench::run_with_npm(s, nodes, npm);
    return s.by == bench::locker::npm ? bench::run_npm(s, nodes, npm) : bench::run_in_processes(s, nodes);
}

/// What `--only` goes by, such as "order 8 x 0.3 late comers".
std::string id_of(const bench::scenario& s) {
    return fmt::format("{} {} x {:g} {}", s.name, s.processes, static_cast<double>(s.hold.count()) / 1000,
                       s.with);
}

/// The hand-off that has a limit stands beside what it is held against.
bool is_limited(const bench::scenario& s) {
    return s.name == bench::handoff_name && s.by == bench::locker::library &&
           s.wakeup == redlock::wakeup::keyspace_events;
}

bench::contention_findings measure(const options& o) {
    redlock::test::node_set servers(5, {.directives = {"notify-keyspace-events Kgxe"}});
    std::vector<std::uint16_t> ports;
    for (const auto& server : servers)
        ports.push_back(server.port());
    bench::contention_findings f;
    f.yardstick = bench::measure_yardstick(ports);
    for (const bench::scenario& s : bench::all_scenarios(o.quick, !o.npm.empty())) {
        if (!id_of(s).starts_with(o.only)) continue;
        if (is_limited(s)) {
            const std::size_t rounds = o.quick ? 3 : 5;
            const auto h =
                bench::measure_handoffs(s, rounds, o.quick ? rounds : 5 * rounds, servers.uris(), ports);
            const double stolen = h.rounds.back().stolen;
            const double cycle = h.rounds.back().cycle_p50_microseconds;
            add(f, {h.what, bench::figures_of(h.what, h.library), stolen, cycle});
            add(f, {h.what_bare, bench::figures_of(h.what_bare, h.bare), stolen, cycle});
            f.handoffs = h.rounds;
            continue;
        }
        const auto all =
            bench::least_disturbed(1, o.quick ? 1 : 4, [&] { return run_once(s, servers.uris(), o.npm); });
        const double cycle =
            o.quick ? f.yardstick.cycle_p50_microseconds : bench::cycle_p50_microseconds(ports);
        add(f, {s, bench::figures_of(s, all.front().result), all.front().stolen, cycle});
    }
    return f;
}

int run(const options& o) {
    if (o.help) {
        fmt::print("{}", usage);
        return 0;
    }
    bench::heed_interruption();
    const bench::contention_findings f = measure(o);
    fmt::print("{}", bench::summary(f));
    if (!o.json.empty()) {
        std::ofstream file(o.json);
        if (!(file << bench::json(f) << '\n').flush()) throw std::runtime_error("cannot write " + o.json);
    }
    for (const bench::check& c : bench::checks_of(f))
        if (o.check && !c.passed()) return 1;
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    options o;
    try {
        o = parse({argv + 1, argv + argc});
    } catch (const std::invalid_argument& e) {
        fmt::print(stderr, "contention_bench: {}\n{}", e.what(), usage);
        return 2;
    }
    try {
        return run(o);
    } catch (const bench::interrupted&) {
        return 130;
    } catch (const std::exception& e) {
        fmt::print(stderr, "contention_bench: {}\n", e.what());
        return 3;
    }
}
