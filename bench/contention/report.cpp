#include "contention/report.hpp"

#include "contention/guest_report.hpp"
#include "contention/kind_report.hpp"
#include "contention/order_report.hpp"
#include "contention/scenarios.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

namespace bench {
namespace {

std::string title(const scenario& s) {
    return s.by == locker::library ? std::string(name_of(s.wakeup)) : s.contender;
}

const contention_result* find(const contention_findings& f, std::string_view name, std::size_t processes) {
    for (const contention_result& r : f.results)
        if (r.what.name == name && r.what.processes == processes && r.what.by == locker::library &&
            r.what.wakeup == redlock::wakeup::automatic)
            return &r;
    return nullptr;
}

/// The median of what this gives for each round.
template <class Figure>
double median_of(const std::vector<handoff_round>& rounds, Figure figure) {
    std::vector<double> all;
    std::ranges::transform(rounds, std::back_inserter(all), figure);
    std::ranges::sort(all);
    return all[all.size() / 2];
}

double p50_in_cycles(const handoff_round& r) {
    return r.library.handoff_p50_microseconds / r.cycle_p50_microseconds;
}
double p99_in_cycles(const handoff_round& r) {
    return r.library.handoff_p99_microseconds / r.cycle_p50_microseconds;
}
double bare_in_cycles(const handoff_round& r) {
    return r.bare.handoff_p50_microseconds / r.cycle_p50_microseconds;
}
double p50_against_bare(const handoff_round& r) {
    return r.library.handoff_p50_microseconds / r.bare.handoff_p50_microseconds;
}
double p99_against_bare(const handoff_round& r) {
    return r.library.handoff_p99_microseconds / r.bare.handoff_p99_microseconds;
}

boost::json::object object_of(const handoff_round& r) {
    return {{"stolen", r.stolen},
            {"floor_cycle_p50_microseconds", r.cycle_p50_microseconds},
            {"handoff_p50_microseconds", r.library.handoff_p50_microseconds},
            {"handoff_p99_microseconds", r.library.handoff_p99_microseconds},
            {"bare_handoff_p50_microseconds", r.bare.handoff_p50_microseconds},
            {"bare_handoff_p99_microseconds", r.bare.handoff_p99_microseconds}};
}

/// Up to a hundred points of the distribution, for a chart.
boost::json::array distribution_of(const std::vector<double>& ascending) {
    boost::json::array points;
    for (std::size_t i = 0; i <= 100 && !ascending.empty(); ++i)
        points.push_back(ascending[std::min(ascending.size() - 1, i * ascending.size() / 100)]);
    return points;
}

boost::json::object object_of(const contention_result& r) {
    const contention_figures& f = r.figures;
    return {{"name", r.what.name},
            {"contender", r.what.contender},
            {"wakeup", r.what.by == locker::library ? name_of(r.what.wakeup) : ""},
            {"processes", r.what.processes},
            {"callers", r.what.callers},
            {"keys", r.what.keys},
            {"with", r.what.with},
            {"wanted_hold_microseconds", r.what.hold.count()},
            {"hold_microseconds", f.hold_microseconds},
            {"grants_per_second", f.grants_per_second},
            {"handoff_p50_microseconds", f.handoff_p50_microseconds},
            {"handoff_p99_microseconds", f.handoff_p99_microseconds},
            {"gap_p99_microseconds", f.gap_p99_microseconds},
            {"longest_wait_milliseconds", f.longest_wait_milliseconds},
            {"strict_order_milliseconds", f.strict_order_milliseconds},
            {"wait_p99_milliseconds", f.wait_p99_milliseconds},
            {"read_wait_p99_milliseconds", f.read_wait_p99_milliseconds},
            {"smallest_share", f.smallest_share},
            {"least_against_most", f.least_against_most},
            {"npm_processes", r.what.npm},
            {"npm_grants", f.npm_grants},
            {"npm_longest_wait_milliseconds", f.npm_longest_wait_milliseconds},
            {"floor_cycle_p50_microseconds", r.cycle_p50_microseconds},
            {"commands_per_grant", f.commands_per_grant},
            {"commands_per_grant_and_process", f.commands_per_grant / static_cast<double>(r.what.processes)},
            {"cpu_microseconds_per_grant", f.cpu_microseconds_per_grant},
            {"refusals_per_grant", f.refusals_per_grant},
            {"splits_per_grant", f.splits_per_grant},
            {"arbiter_tries_per_grant", f.arbiter_tries_per_grant},
            {"kept_votes_per_grant", f.kept_votes_per_grant},
            {"stolen", r.stolen},
            {"failures", f.failures},
            {"overlaps", f.overlaps},
            {"handoffs_microseconds", distribution_of(f.handoffs)}};
}

} // namespace

std::string_view name_of(redlock::wakeup how) {
    constexpr std::string_view names[] = {"automatic", "events", "tracking", "timed"};
    return names[static_cast<std::size_t>(how)];
}

std::vector<check> checks_of(const contention_findings& f) {
    std::vector<check> checks;
    const auto add = [&](const char* name, double value, double limit, bool at_least = false) {
        check c;
        c.name = name;
        c.value = value;
        c.limit = limit;
        c.at_least = at_least;
        checks.push_back(std::move(c));
    };
    const contention_result* handoff = find(f, handoff_name, 2);
    const contention_result* eight = find(f, crowd_name, 8);
    if (!f.handoffs.empty()) {
        add("hand-off p50 in floor cycles", median_of(f.handoffs, p50_in_cycles), 2);
        add("hand-off p99 in floor cycles", median_of(f.handoffs, p99_in_cycles), 6);
    }
    if (handoff && eight) {
        const double one_after_the_other = 1e6 / (1000 + handoff->figures.handoff_p50_microseconds);
        add("grants of eight processes against one after the other",
            eight->figures.grants_per_second / one_after_the_other, 0.7, true);
    }
    if (eight) add("longest wait of eight processes in ms", eight->figures.longest_wait_milliseconds, 100);
    if (const contention_result* local = find(f, local_name, 1))
        add("grants per second within one process", local->figures.grants_per_second, 200'000, true);
    for (const auto& more : {order_checks_of(f), guest_checks_of(f), kind_checks_of(f)})
        checks.insert(checks.end(), more.begin(), more.end());
    std::uint64_t overlaps = 0;
    for (const contention_result& r : f.results)
        overlaps += r.figures.overlaps;
    add("grants while somebody else held the key", static_cast<double>(overlaps), 0);
    return checks;
}

std::string head() {
    return fmt::format("{:<10}{:<30}{:>5}{:>8}{:>9}{:>9}{:>9}{:>9}{:>9}{:>7}{:>9}{:>8}{:>7}{:>8}{:>6}{:>9}\n",
                       "", "", "proc", "callers", "grants/s", "p50 us", "p99 us", "gap99 us", "wait ms",
                       "share", "commands", "CPU us", "split", "arbiter", "kept", "stolen %");
}

std::string row(const contention_result& r) {
    const contention_figures& f = r.figures;
    return fmt::format("{:<10}{:<30}{:>5}{:>8}{:>9.0f}{:>9.0f}{:>9.0f}{:>9.0f}{:>9.1f}{:>7.2f}{:>9.1f}{:>8."
                       "1f}{:>7.2f}{:>8.2f}{:>6.2f}{:>9.1f}{}\n",
                       r.what.name, title(r.what), r.what.processes, r.what.callers, f.grants_per_second,
                       f.handoff_p50_microseconds, f.handoff_p99_microseconds, f.gap_p99_microseconds,
                       f.longest_wait_milliseconds, f.smallest_share, f.commands_per_grant,
                       f.cpu_microseconds_per_grant, f.splits_per_grant, f.arbiter_tries_per_grant,
                       f.kept_votes_per_grant, 100 * r.stolen,
                       f.failures > 0 ? fmt::format("  {} failures", f.failures) : "");
}

std::string summary(const contention_findings& f) {
    const yardstick& y = f.yardstick;
    std::string text =
        fmt::format("\nfloor cycle p50 {:.0f} us, p99 {:.0f} us; PING {:.0f} us\n", y.cycle_p50_microseconds,
                    y.cycle_p99_microseconds, y.ping_p50_microseconds);
    if (!f.handoffs.empty())
        text += fmt::format("hand-off over bare sockets p50 in floor cycles: {:.2f}; with the library "
                            "against that: p50 {:.2f}, "
                            "p99 {:.2f} (medians of {} rounds)\n",
                            median_of(f.handoffs, bare_in_cycles), median_of(f.handoffs, p50_against_bare),
                            median_of(f.handoffs, p99_against_bare), f.handoffs.size());
    for (const check& c : checks_of(f))
        text += fmt::format("{:<6}{}: {:.2f} ({} {:.2f})\n", c.passed() ? "ok" : "FAIL", c.name, c.value,
                            c.at_least ? "at least" : "at most", c.limit);
    return text;
}

std::string json(const contention_findings& f) {
    boost::json::array results;
    for (const contention_result& r : f.results)
        results.push_back(object_of(r));
    boost::json::array checks;
    for (const check& c : checks_of(f))
        checks.push_back({{"name", c.name},
                          {"value", c.value},
                          {c.at_least ? "at_least" : "at_most", c.limit},
                          {"passed", c.passed()}});
    boost::json::array rounds;
    for (const handoff_round& r : f.handoffs)
        rounds.push_back(object_of(r));
    return boost::json::serialize(
        boost::json::object{{"floor_cycle_p50_microseconds", f.yardstick.cycle_p50_microseconds},
                            {"floor_cycle_p99_microseconds", f.yardstick.cycle_p99_microseconds},
                            {"ping_p50_microseconds", f.yardstick.ping_p50_microseconds},
                            {"results", results},
                            {"handoff_rounds", rounds},
                            {"checks", checks}});
}

} // namespace bench
