#include "contention/figures.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace bench {
namespace {

double quantile(std::vector<double>& values, double part) {
    if (values.empty()) return 0;
    std::ranges::sort(values);
    return values[std::min(values.size() - 1,
                           static_cast<std::size_t>(part * static_cast<double>(values.size())))];
}

double in_microseconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1000; }

/// From a release to the grant of one that was waiting, in microseconds.
struct all_gaps {
    std::vector<double> between; ///< processes
    std::vector<double> within;  ///< one
};

/// What became of a key until now.
struct key_so_far {
    const holding* last = nullptr;
    std::int64_t read_until = 0;
    std::int64_t written_until = 0; ///< or held by one alone
};

/// Goes through the holdings of each key in their order.
all_gaps follow(const course& all, contention_figures& f) {
    all_gaps gaps;
    std::map<std::uint32_t, key_so_far> keys;
    for (const holding& h : all.holdings) {
        key_so_far& key = keys[h.key];
        f.overlaps += h.granted < key.written_until || (!h.reads && h.granted < key.read_until);
        const holding* before = key.last;
        if (before && h.asked < before->released && !(h.reads && before->reads)) {
            auto& kind = h.process == before->process ? gaps.within : gaps.between;
            kind.push_back(in_microseconds(h.granted - before->released));
        }
        std::int64_t& until = h.reads ? key.read_until : key.written_until;
        until = std::max(until, h.released);
        key.last = &h;
    }
    return gaps;
}

double wait_p99_milliseconds(const course& all, bool reads) {
    std::vector<double> waits;
    for (const holding& h : all.holdings)
        if (h.reads == reads) waits.push_back(in_microseconds(h.granted - h.asked));
    return quantile(waits, 0.99) / 1000;
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

/// Whether this was its own process's fault.
bool was_out(const course& all, const holding& h, std::int64_t until) {
    return all.outage && h.process == all.outage->process && h.asked < all.outage->until &&
           until > all.outage->from;
}

/// Of the processes from one number to another.
double longest_wait_milliseconds(const course& all, std::size_t from, std::size_t to) {
    std::int64_t longest = 0;
    const auto add = [&](const holding& h, std::int64_t until) {
        if (h.process >= from && h.process < to && !was_out(all, h, until))
            longest = std::max(longest, until - h.asked);
    };
    for (const holding& h : all.holdings)
        add(h, h.granted);
    for (const holding& h : all.in_vain)
        add(h, h.released);
    return in_microseconds(longest) / 1000;
}

/// Of the processes that nothing happened to.
void compare_processes(const scenario& what, const course& all, contention_figures& f) {
    std::vector<double> grants(what.processes);
    for (const holding& h : all.holdings)
        if (h.process < what.processes) grants[h.process] += h.granted >= all.all_there;
    if (all.outage) grants.erase(grants.begin() + all.outage->process);
    const auto [least, most] = std::ranges::minmax(grants);
    f.most_grants = most;
    f.least_against_most = most > 0 ? least / most : 0;
}

double strict_order_milliseconds(const scenario& what, const contention_figures& f, all_gaps& gaps) {
    const double between = static_cast<double>(gaps.between.size());
    const double within = static_cast<double>(gaps.within.size());
    const double handover = (between * quantile(gaps.between, 0.5) + within * quantile(gaps.within, 0.5)) /
                            std::max(between + within, 1.0);
    const double others = static_cast<double>(what.processes * what.callers + what.npm - 1);
    return (others * (f.hold_microseconds + handover) + handover) / 1000;
}

} // namespace

contention_figures figures_of(const scenario& what, const course& all) {
    contention_figures f;
    std::vector<double> holds;
    std::vector<double> shares(what.processes + what.npm);
    all_gaps gaps = follow(all, f);
    divide(all, f);
    for (const holding& h : all.holdings) {
        holds.push_back(in_microseconds(h.released - h.granted));
        ++shares[h.process];
    }
    const double count = static_cast<double>(all.holdings.size());
    f.grants = count;
    f.grants_per_second = count / std::chrono::duration<double>(what.duration).count();
    if (count > 0)
        f.smallest_share = *std::ranges::min_element(shares) * static_cast<double>(shares.size()) / count;
    f.npm_grants = std::accumulate(shares.end() - static_cast<std::ptrdiff_t>(what.npm), shares.end(), 0.0);
    compare_processes(what, all, f);
    f.longest_wait_milliseconds = longest_wait_milliseconds(all, 0, what.processes);
    f.wait_p99_milliseconds = wait_p99_milliseconds(all, false);
    f.read_wait_p99_milliseconds = wait_p99_milliseconds(all, true);
    f.npm_longest_wait_milliseconds =
        longest_wait_milliseconds(all, what.processes, what.processes + what.npm);
    f.hold_microseconds = quantile(holds, 0.5);
    f.strict_order_milliseconds = strict_order_milliseconds(what, f, gaps);
    f.handoff_p50_microseconds = quantile(gaps.between, 0.5);
    f.handoff_p99_microseconds = quantile(gaps.between, 0.99);
    f.handoffs = gaps.between;
    gaps.between.insert(gaps.between.end(), gaps.within.begin(), gaps.within.end());
    f.gap_p99_microseconds = quantile(gaps.between, 0.99);
    return f;
}

} // namespace bench
