#include "lease/report.hpp"

#include "core/histogram_report.hpp"
#include "lease/counters.hpp"

namespace redlock::lock {

namespace {

std::vector<refusal_count> refusals_of(const counters& c) {
    std::vector<refusal_count> all;
    all.reserve(c.refused_calls.size());
    for (const std::uint64_t calls : c.refused_calls)
        all.push_back({static_cast<errc>(all.size() + 1), calls});
    return all;
}

std::vector<kind_count> kinds_of(const counters& c) {
    std::vector<kind_count> all;
    all.reserve(c.kinds.size());
    for (const counters::kind& k : c.kinds)
        all.push_back({static_cast<lease_kind>(all.size()), k.grants, k.held});
    return all;
}

} // namespace

void report_leases(const counters& c, metrics_snapshot& to) {
    to.kinds = kinds_of(c);
    for (const kind_count& k : to.kinds)
        to.grants += k.grants;
    to.held = c.held();
    to.reentries = c.reentries;
    to.downgrades = c.downgrades;
    to.late_grants = c.late_grants;
    to.renewals = c.renewals;
    to.failed_renewals = c.failed_renewals;
    to.unlocks = c.unlocks;
    to.handoffs = c.handoffs;
    to.lost_by_deadline = c.lost_by_deadline;
    to.lost_by_majority = c.lost_by_majority;
    to.cancelled = c.cancelled;
    to.remote_handoffs = c.remote_handoffs;
    to.refused_calls = refusals_of(c);
    to.time_to_acquire = core::report_of(c.time_to_acquire);
    to.wait_time = core::report_of(c.wait_time);
    to.hold_time = core::report_of(c.hold_time);
    to.stop_margin = core::report_of(c.stop_margin);
    to.renewal_time = core::report_of(c.renewal_time);
    to.waiting = c.waiting;
}

} // namespace redlock::lock
