#include "contention/order_report.hpp"

#include "contention/scenarios.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>

namespace bench {
namespace {

// For what no order can help: a timer that fires late, a process that the scheduler holds up.
constexpr double slack_milliseconds = 20;
// Fewer grants tell little of a share: with the end of the measured time inside of a round, who comes last in
// it has one less than the others.
constexpr double enough_grants = 10;

bool is_told(const scenario& s) { return s.wakeup == redlock::wakeup::automatic; }

double most_times_strict(const scenario& s) { return is_told(s) ? 1.5 : 5; }

/// A process that died or stopped while the key was on its way to it keeps the key for as long as it lives at
/// first, or until the others take its place.
double allowance_milliseconds(const scenario& s) {
    return s.fault == fault::none ? 0 : static_cast<double>((s.ttl + node_timeout).count());
}

double times_strict(const contention_result& r, double wait) {
    return wait / std::max(r.figures.strict_order_milliseconds, 1e-3);
}

/// What is held against `most_times_strict`.
double counted_times_strict(const contention_result& r) {
    const double counted =
        r.figures.longest_wait_milliseconds - slack_milliseconds - allowance_milliseconds(r.what);
    return times_strict(r, std::max(counted, 0.0));
}

/// What is held against the limit of the share.
double counted_share(const contention_result& r) {
    const contention_figures& f = r.figures;
    if (f.most_grants >= enough_grants) return f.least_against_most;
    return std::min(1.0, f.least_against_most + 1 / std::max(f.most_grants, 1.0));
}

std::string hold_of(const scenario& s) {
    return fmt::format("{:g}", static_cast<double>(s.hold.count()) / 1000);
}

std::string kind_of(const scenario& s) {
    if (!is_told(s)) return std::string(name_of(s.wakeup));
    return s.with.empty() ? "grid" : s.with;
}

bool is_kept(const contention_result& r) {
    const order_limits limits = order_limits_of(r);
    return r.figures.longest_wait_milliseconds <= limits.wait_milliseconds &&
           counted_share(r) >= limits.least_against_most;
}

} // namespace

order_limits order_limits_of(const contention_result& r) {
    return {.wait_milliseconds = most_times_strict(r.what) * r.figures.strict_order_milliseconds +
                                 slack_milliseconds + allowance_milliseconds(r.what),
            .least_against_most = is_told(r.what) ? 0.8 : 0};
}

std::vector<check> order_checks_of(const contention_findings& f) {
    std::vector<std::string> kinds;
    for (const contention_result& r : f.results)
        if (r.what.name == order_name && std::ranges::find(kinds, kind_of(r.what)) == kinds.end())
            kinds.push_back(kind_of(r.what));
    std::vector<check> checks;
    for (const std::string& kind : kinds) {
        std::vector<const contention_result*> points;
        for (const contention_result& r : f.results)
            if (r.what.name == order_name && kind_of(r.what) == kind) points.push_back(&r);
        const auto where = [&](const contention_result& r) {
            return fmt::format("({}, worst of {}: {} processes, {} ms)", kind, points.size(),
                               r.what.processes, hold_of(r.what));
        };
        const auto last =
            *std::ranges::max_element(points, {}, [](auto* r) { return counted_times_strict(*r); });
        checks.push_back({"longest wait in strict order " + where(*last), counted_times_strict(*last),
                          most_times_strict(last->what), false});
        if (!is_told(last->what)) continue;
        const auto least = *std::ranges::min_element(points, {}, [](auto* r) { return counted_share(*r); });
        checks.push_back({"least share against most " + where(*least), counted_share(*least),
                          order_limits_of(*least).least_against_most, true});
    }
    return checks;
}

std::string order_head() {
    return fmt::format(
        "\n{}.\n"
        "Limits: {} x strict order + {} ms, {} x where nobody is told that he has the key; ttl + node "
        "timeout more where a "
        "process dies or stops.\n"
        "{:<20}{:<10}{:>5}{:>9}{:>10}{:>12}{:>10}{:>10}{:>8}{:>10}{:>7}{:>9}{:>9}\n",
        strict_order, 1.5, slack_milliseconds, 5, "order", "", "proc", "hold ms", "grants/s", "p50 cycles",
        "wait ms", "strict ms", "times", "limit ms", "share", "commands", "stolen %");
}

std::string order_row(const contention_result& r) {
    const contention_figures& f = r.figures;
    return fmt::format(
        "{:<20}{:<10}{:>5}{:>9}{:>10.0f}{:>12.2f}{:>10.1f}{:>10.1f}{:>8.2f}{:>10.1f}{:>7.2f}{:>9.1f}{:>9."
        "1f}{}{}\n",
        r.what.with, name_of(r.what.wakeup), r.what.processes, hold_of(r.what), f.grants_per_second,
        f.handoff_p50_microseconds / r.cycle_p50_microseconds, f.longest_wait_milliseconds,
        f.strict_order_milliseconds, times_strict(r, f.longest_wait_milliseconds),
        order_limits_of(r).wait_milliseconds, f.least_against_most, f.commands_per_grant, 100 * r.stolen,
        f.failures > 0 ? fmt::format("  {} failures", f.failures) : "", is_kept(r) ? "" : "  BEYOND");
}

} // namespace bench
