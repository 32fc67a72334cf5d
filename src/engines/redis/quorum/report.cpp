#include "engines/redis/quorum/report.hpp"

#include "core/histogram_report.hpp"
#include "engines/redis/quorum/quorum.hpp"
#include "turn/outcome.hpp"

#include <string>
#include <utility>

namespace redlock::redis {

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
            .last_error = turn::code_of(status.last_error),
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
            .round_trips = core::report_of(status.round_trips),
            .master = std::move(status.master)};
}

} // namespace

void report_quorum(const quorum& q, metrics_snapshot& to) {
    const counters& c = q.counts();
    to.engine = "redis";
    to.refusals = c.refusals;
    to.split_votes = c.split_votes;
    to.arbiter_tries = c.arbiter_tries;
    to.kept_votes = c.kept_votes;
    to.directed_handovers = c.directed_handovers;
    to.undirected_waits = c.undirected_waits;
    to.yields = c.yields;
    to.no_quorum = c.no_quorum;
    to.repairs = c.repairs;
    to.fence_retries = c.fence_retries;
    to.inflight = q.window().inside();
    to.queued = q.window().waiting();
    to.inflight_limit = q.window().limit();
    for (std::uint32_t index = 0; index < q.nodes(); ++index)
        to.nodes.push_back(metrics_of(q.session_of(index).node(), q.session_of(index).wakeup()));
}

} // namespace redlock::redis
