#include "contention/figures.hpp"

#include <algorithm>
#include <map>

namespace bench {
namespace {

double quantile(std::vector<double>& values, double part) {
    if (values.empty()) return 0;
    std::ranges::sort(values);
    return values[std::min(values.size() - 1,
                           static_cast<std::size_t>(part * static_cast<double>(values.size())))];
}

double microseconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1000; }

/// Goes through the holdings of each key in their order.
void follow(const course& all, contention_figures& f, std::vector<double>& gaps) {
    std::map<std::uint32_t, const holding*> last;
    for (const holding& h : all.holdings) {
        const holding*& before = last[h.key];
        if (before) {
            f.overlaps += h.granted < before->released;
            if (h.asked < before->released) {
                gaps.push_back(microseconds(h.granted - before->released));
                if (h.process != before->process) f.handoffs.push_back(gaps.back());
            }
        }
        before = &h;
    }
}

void divide(const course& all, contention_figures& f) {
    expense sum;
    for (const expense& e : all.expenses) {
        sum.grants += e.grants;
        sum.commands += e.commands;
        sum.refusals += e.refusals;
        sum.split_votes += e.split_votes;
        sum.arbiter_tries += e.arbiter_tries;
        sum.kept_votes += e.kept_votes;
        sum.failures += e.failures;
        sum.cpu_microseconds += e.cpu_microseconds;
    }
    const double grants = static_cast<double>(std::max<std::uint64_t>(sum.grants, 1));
    f.commands_per_grant = static_cast<double>(sum.commands) / grants;
    f.refusals_per_grant = static_cast<double>(sum.refusals) / grants;
    f.splits_per_grant = static_cast<double>(sum.split_votes) / grants;
    f.arbiter_tries_per_grant = static_cast<double>(sum.arbiter_tries) / grants;
    f.kept_votes_per_grant = static_cast<double>(sum.kept_votes) / grants;
    f.cpu_microseconds_per_grant = sum.cpu_microseconds / grants;
    f.failures = sum.failures;
}

} // namespace

contention_figures figures_of(const scenario& what, const course& all) {
    contention_figures f;
    std::vector<double> gaps;
    std::vector<double> holds;
    std::vector<double> shares(what.processes);
    follow(all, f, gaps);
    divide(all, f);
    for (const holding& h : all.holdings) {
        holds.push_back(microseconds(h.released - h.granted));
        f.longest_wait_milliseconds =
            std::max(f.longest_wait_milliseconds, microseconds(h.granted - h.asked) / 1000);
        ++shares[h.process];
    }
    const double count = static_cast<double>(all.holdings.size());
    f.grants_per_second = count / std::chrono::duration<double>(what.duration).count();
    if (count > 0)
        f.smallest_share = *std::ranges::min_element(shares) * static_cast<double>(what.processes) / count;
    f.hold_microseconds = quantile(holds, 0.5);
    f.handoff_p50_microseconds = quantile(f.handoffs, 0.5);
    f.handoff_p99_microseconds = quantile(f.handoffs, 0.99);
    f.gap_p99_microseconds = quantile(gaps, 0.99);
    return f;
}

} // namespace bench
