#include "client/configuration.hpp"
#include "engines/redis/dialect/server_error.hpp"
#include "lease/runtime.hpp"

namespace redlock::lock {

namespace {

latency_histogram histogram_of(const core::histogram& h) {
    latency_histogram all{.sum = std::chrono::duration<double, std::nano>(h.sum())};
    for (std::size_t bucket = h.first_used(); bucket < h.end_of_used(); ++bucket) {
        const std::uint64_t count = h.in_bucket(bucket);
        if (count == 0) continue;
        if (all.count == 0) all.buckets.reserve(h.end_of_used() - bucket);
        all.count += count;
        all.buckets.push_back(
            {core::histogram::lower_bound_of(bucket), core::histogram::upper_bound_of(bucket), count});
    }
    return all;
}

std::vector<refusal_count> refusals_of(const counters& c) {
    std::vector<refusal_count> all;
    all.reserve(c.refused_calls.size());
    for (const std::uint64_t calls : c.refused_calls)
        all.push_back({static_cast<errc>(all.size() + 1), calls});
    return all;
}

const char* name_of(node::health state) noexcept {
    switch (state) {
    case node::health::connecting:
        return "connecting";
    case node::health::ready:
        return "ready";
    case node::health::suspect:
        return "suspect";
    case node::health::unavailable:
        return "unavailable";
    case node::health::quarantined:
        return "quarantined";
    }
    return "";
}

node_metrics metrics_of(const node::node& n, redlock::wakeup wakeup) {
    node::status status = n.report();
    return {.node = std::string(n.name()),
            .state = name_of(status.state),
            .last_error = code_of(status.last_error),
            .last_error_text = std::move(status.last_error_text),
            .wakeup = wakeup,
            .eviction_policy = may_evict_locks(n.server()) ? n.server().eviction_policy : std::string(),
            .commands = status.commands,
            .timeouts = status.timeouts,
            .connects = status.connects,
            .disconnects = status.disconnects,
            .reconnects = status.connects - (status.connects > 0),
            .quarantines = status.quarantines,
            .quarantined = status.state == node::health::quarantined,
            .round_trip = status.round_trip,
            .round_trips = histogram_of(status.round_trips)};
}

} // namespace

metrics_snapshot snapshot_of(const runtime& r, const std::vector<const node::node*>& nodes) {
    const counters& c = r.counts();
    metrics_snapshot all{.grants = c.grants,
                         .refusals = c.refusals,
                         .split_votes = c.split_votes,
                         .arbiter_tries = c.arbiter_tries,
                         .kept_votes = c.kept_votes,
                         .no_quorum = c.no_quorum,
                         .late_grants = c.late_grants,
                         .renewals = c.renewals,
                         .failed_renewals = c.failed_renewals,
                         .repairs = c.repairs,
                         .unlocks = c.unlocks,
                         .handoffs = c.handoffs,
                         .fence_retries = c.fence_retries,
                         .lost_by_deadline = c.lost_by_deadline,
                         .lost_by_majority = c.lost_by_majority,
                         .cancelled = c.cancelled,
                         .remote_handoffs = c.remote_handoffs,
                         .refused_calls = refusals_of(c),
                         .time_to_acquire = histogram_of(c.time_to_acquire),
                         .wait_time = histogram_of(c.wait_time),
                         .hold_time = histogram_of(c.hold_time),
                         .stop_margin = histogram_of(c.stop_margin),
                         .renewal_time = histogram_of(c.renewal_time),
                         .held = c.held,
                         .waiting = c.waiting,
                         .inflight = r.window().inside(),
                         .queued = r.window().waiting(),
                         .inflight_limit = r.window().limit(),
                         .nodes = {}};
    for (std::uint32_t i = 0; i < nodes.size(); ++i)
        all.nodes.push_back(metrics_of(*nodes[i], r.session_of(i).wakeup()));
    return all;
}

} // namespace redlock::lock
