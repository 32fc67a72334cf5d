#include "contention/guest_report.hpp"

#include "contention/scenarios.hpp"

#include <redlock/config.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace bench {
namespace {

constexpr double most_rounds = 10;

double share_of(const contention_figures& f) { return f.npm_grants / std::max(f.grants, 1.0); }

double rounds(const contention_figures& f, double milliseconds) {
    return milliseconds / std::max(f.strict_order_milliseconds, 1e-3);
}

} // namespace

std::vector<check> guest_checks_of(const contention_findings& f) {
    std::vector<check> checks;
    const double fair = 1.0 / redlock::config().handoff_limit;
    for (const contention_result& r : f.results) {
        if (r.what.name != guest_name || r.what.retry_delay.count() < 0) continue;
        const std::string whose = fmt::format("of npm redlock among {} of ours", r.what.processes);
        checks.push_back({fmt::format("share {}", whose), share_of(r.figures), fair, true});
        checks.push_back({fmt::format("longest wait {} in strict order", whose),
                          rounds(r.figures, r.figures.npm_longest_wait_milliseconds), most_rounds, false});
    }
    return checks;
}

std::string guest_head() {
    return fmt::format("\nOne process with npm redlock among those of the library; strict order as if it "
                       "stood in the queues, too.\n"
                       "{:<40}{:>8}{:>10}{:>10}{:>10}{:>12}{:>8}{:>12}{:>10}{:>9}\n",
                       "guest", "hold ms", "grants/s", "its", "1 in", "its wait ms", "times", "our wait ms",
                       "strict ms", "stolen %");
}

std::string guest_row(const contention_result& r) {
    const contention_figures& f = r.figures;
    return fmt::format(
        "{:<40}{:>8.2f}{:>10.0f}{:>10.0f}{:>10.1f}{:>12.1f}{:>8.1f}{:>12.1f}{:>10.1f}{:>9.1f}\n", r.what.with,
        f.hold_microseconds / 1000, f.grants_per_second, f.npm_grants, 1 / share_of(f),
        f.npm_longest_wait_milliseconds, rounds(f, f.npm_longest_wait_milliseconds),
        f.longest_wait_milliseconds, f.strict_order_milliseconds, 100 * r.stolen);
}

} // namespace bench
