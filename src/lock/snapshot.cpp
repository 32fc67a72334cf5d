#include "lock/configuration.hpp"
#include "lock/runtime.hpp"
#include "lock/server_error.hpp"

namespace redlock::lock {

namespace {

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
            .round_trip = status.round_trip};
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
                         .held = c.held,
                         .waiting = c.waiting,
                         .inflight = r.window().inside(),
                         .queued = r.window().waiting(),
                         .nodes = {}};
    for (std::uint32_t i = 0; i < nodes.size(); ++i)
        all.nodes.push_back(metrics_of(*nodes[i], r.session_of(i).wakeup()));
    return all;
}

} // namespace redlock::lock
