#include "contention/kind_report.hpp"

#include "contention/scenarios.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace bench {
namespace {

/// So many may have what they want at the same time; a set counts as its keys.
double most_at_once(const scenario& s) {
    const auto wanted = static_cast<double>(s.processes * s.callers * s.together);
    return s.reads > 0 ? wanted : std::min(wanted, static_cast<double>(s.permits * s.keys));
}

/// Writers have the key in a row for so long while others wait to read (docs/handover.md, 9).
constexpr double row_milliseconds = 100;

/// The same contenders and holds, without readers.
const contention_result* exclusive_beside(const contention_findings& f, const contention_result& r) {
    const auto found = std::ranges::find_if(f.results, [&](const contention_result& other) {
        return other.what.name == kind_name && other.what.with == "exclusive" &&
               other.what.hold == r.what.hold;
    });
    return found == f.results.end() ? nullptr : &*found;
}

/// Under a flood of readers a writer waits no longer than behind as many who exclude each other; under one of
/// writers a reader gets in at the third of his chances.
void add_bounded_waits(const contention_result& r, const contention_result& exclusive,
                       const std::string& where, std::vector<check>& to) {
    const contention_figures& f = r.figures;
    const double order = exclusive.figures.wait_p99_milliseconds;
    if (r.what.reads > 0 && r.what.reads < 1) {
        to.push_back({"p99 wait to write / exclusive" + where, f.wait_p99_milliseconds / order, 1.5, false});
        to.push_back({"p99 wait to read / a row of writers and exclusive" + where,
                      f.read_wait_p99_milliseconds / (row_milliseconds + order), 3, false});
    }
}

} // namespace

std::vector<check> kind_checks_of(const contention_findings& f) {
    std::vector<check> checks;
    for (const contention_result& r : f.results) {
        if (r.what.name != kind_name) continue;
        const std::string where =
            fmt::format(" ({}, {:g} ms)", r.what.with, static_cast<double>(r.what.hold.count()) / 1000);
        checks.push_back({"failures" + where, static_cast<double>(r.figures.failures), 0, false});
        if (const contention_result* const exclusive = exclusive_beside(f, r))
            add_bounded_waits(r, *exclusive, where, checks);
    }
    return checks;
}

std::string kind_head() {
    return fmt::format("\nEight processes with four callers each.\n"
                       "{:<14}{:>8}{:>10}{:>9}{:>13}{:>13}{:>10}{:>7}{:>9}{:>8}{:>9}\n",
                       "kind", "hold ms", "grants/s", "at once", "p99 wait ms", "reading ms", "longest",
                       "share", "commands", "CPU us", "stolen %");
}

std::string kind_row(const contention_result& r) {
    const contention_figures& f = r.figures;
    const double at_once = f.grants_per_second * f.hold_microseconds / 1e6;
    return fmt::format(
        "{:<14}{:>8.2f}{:>10.0f}{:>9}{:>13.1f}{:>13.1f}{:>10.1f}{:>7.2f}{:>9.1f}{:>8.1f}{:>9.1f}{}\n",
        r.what.with, f.hold_microseconds / 1000, f.grants_per_second,
        fmt::format("{:.1f}/{:g}", at_once, most_at_once(r.what)), f.wait_p99_milliseconds,
        f.read_wait_p99_milliseconds, f.longest_wait_milliseconds, f.least_against_most, f.commands_per_grant,
        f.cpu_microseconds_per_grant, 100 * r.stolen,
        f.failures > 0 ? fmt::format("  {} failures", f.failures) : "");
}

} // namespace bench
