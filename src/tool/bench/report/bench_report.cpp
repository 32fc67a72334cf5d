#include "bench/report/bench_report.hpp"

#include "cli/exit_status.hpp"
#include "cli/setter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace redlock::tool {
namespace {

std::string keys_text(const bench_plan& plan) {
    if (plan.shape == key_shape::one || plan.keys == 1) return "one key";
    if (plan.shape == key_shape::uniform) return fmt::format("{} keys alike", number_text(plan.keys));
    return fmt::format("{} keys after Zipf's law with {:g}", number_text(plan.keys), plan.exponent);
}

std::string arrivals_text(const bench_plan& plan) {
    if (plan.rate <= 0) return "closed loop";
    return fmt::format("open loop of {} a second, {}", rate_text(plan.rate),
                       plan.poisson ? "Poisson" : "evenly spaced");
}

} // namespace

std::size_t bench_point::nodes_up() const noexcept {
    return static_cast<std::size_t>(
        std::ranges::count_if(nodes, [](const node_point& n) { return n.always_up(); }));
}

void add_origin(bench_report& report, bench_origin origin) {
    const std::size_t known = std::min(report.nodes.size(), origin.servers.size());
    for (std::size_t i = 0; i < known; ++i)
        report.nodes[i].server = origin.servers[i];
    report.origin = std::move(origin);
}

std::string text_of(const bench_plan& plan) {
    std::string text = fmt::format("{} {} of {} {}, {}, {}, held for {}, ttl {}", plan.processes,
                                   plan.processes == 1 ? "process" : "processes", plan.callers,
                                   plan.callers == 1 ? "caller" : "callers", keys_text(plan),
                                   arrivals_text(plan), text_of(plan.hold), text_of(plan.ttl));
    return plan.fencing ? text + ", fencing" : text;
}

int status_of(const bench_report& report) {
    const auto& counts = report.counts;
    if (report.signal != 0) return status_of_signal(report.signal);
    if (!report.faults.empty()) return failed;
    if (counts.lost + counts.unlock_failures > 0) return lease_lost;
    if (counts.grants > 0) return fine;
    if (counts.refused > 0) return refused;
    if (counts.no_quorum > 0) return no_quorum;
    if (counts.wait_timeouts > 0) return wait_timeout;
    if (counts.held > 0) return held;
    return counts.failed > 0 ? failed : fine;
}

} // namespace redlock::tool
