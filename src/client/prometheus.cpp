#include "client/exposition.hpp"
#include "core/error_name.hpp"

#include <redlock/prometheus.hpp>
#include <redlock/version.hpp>

#include <string_view>

namespace redlock {

namespace {

using lock::exposition;

/// A number of a snapshot or of a node, with the metric that it makes.
template <class Of, class Number>
struct figure {
    std::string_view name;
    std::string_view help;
    Number Of::*value;
};

constexpr figure<metrics_snapshot, std::uint64_t> counters[] = {
    {"redlock_grants_total", "Leases granted.", &metrics_snapshot::grants},
    {"redlock_cancelled_calls_total", "Calls cancelled by their callers.", &metrics_snapshot::cancelled},
    {"redlock_refused_rounds_total", "Rounds refused because somebody else held the key.",
     &metrics_snapshot::refusals},
    {"redlock_split_votes_total", "Refused rounds in which no contender was seen to hold a majority.",
     &metrics_snapshot::split_votes},
    {"redlock_arbiter_tries_total", "Rounds that asked one node first, because others want the key too.",
     &metrics_snapshot::arbiter_tries},
    {"redlock_kept_votes_total", "Refused rounds whose votes were kept until other contenders gave way.",
     &metrics_snapshot::kept_votes},
    {"redlock_directed_handovers_total",
     "Leases handed on by whoever had them before, straight to this client.",
     &metrics_snapshot::directed_handovers},
    {"redlock_undirected_waits_total", "Waits for other processes outside of any queue on the nodes.",
     &metrics_snapshot::undirected_waits},
    {"redlock_yields_total", "Times that nodes were handed on to one who came before.",
     &metrics_snapshot::yields},
    {"redlock_no_quorum_rounds_total", "Rounds that failed because too few nodes answered.",
     &metrics_snapshot::no_quorum},
    {"redlock_late_grants_total", "Majorities that came when the validity was already over.",
     &metrics_snapshot::late_grants},
    {"redlock_fence_retries_total", "Fencing tokens that were not agreed on at the first attempt.",
     &metrics_snapshot::fence_retries},
    {"redlock_repairs_total", "Missing keys put back on a node.", &metrics_snapshot::repairs},
    {"redlock_reentries_total", "Calls of owners for what they held already.", &metrics_snapshot::reentries},
    {"redlock_downgrades_total", "Leases for writing that became leases for reading.",
     &metrics_snapshot::downgrades},
    {"redlock_unlocks_total", "Leases given back by unlock or destruction.", &metrics_snapshot::unlocks},
};

constexpr figure<metrics_snapshot, std::size_t> gauges[] = {
    {"redlock_leases_held", "Leases held now.", &metrics_snapshot::held},
    {"redlock_calls_waiting", "Calls for a lock under way now.", &metrics_snapshot::waiting},
    {"redlock_rounds_inflight", "Rounds on the wire now.", &metrics_snapshot::inflight},
    {"redlock_rounds_inflight_limit", "Rounds that may be on the wire now.",
     &metrics_snapshot::inflight_limit},
    {"redlock_rounds_queued", "Rounds waiting for a place on the wire.", &metrics_snapshot::queued},
};

constexpr figure<node_metrics, std::uint64_t> node_counters[] = {
    {"redlock_node_commands_total", "Commands written to the node.", &node_metrics::commands},
    {"redlock_node_timeouts_total", "Commands whose deadline the node let pass.", &node_metrics::timeouts},
    {"redlock_node_connects_total", "Connections made.", &node_metrics::connects},
    {"redlock_node_reconnects_total", "Connections made but for the first.", &node_metrics::reconnects},
    {"redlock_node_disconnects_total", "Connections lost.", &node_metrics::disconnects},
    {"redlock_node_quarantines_total", "Times that the node was not to be trusted with a vote.",
     &node_metrics::quarantines},
};

/// A histogram, with the bounds that suit what it measures.
struct distribution {
    std::string_view name;
    std::string_view help;
    latency_histogram metrics_snapshot::*values;
    exposition::bounds bounds;
};

constexpr exposition::bounds round_trips{14, 33}; // 16 µs to 9 s
constexpr exposition::bounds waits{14, 38};       // to 5 min
constexpr exposition::bounds holds{14, 42};       // to 73 min

constexpr distribution distributions[] = {
    {"redlock_acquire_seconds", "Time from the call to the grant.", &metrics_snapshot::time_to_acquire,
     waits},
    {"redlock_wait_seconds", "Time that calls waited for others, whatever came of it.",
     &metrics_snapshot::wait_time, waits},
    {"redlock_hold_seconds", "Time for which leases were held.", &metrics_snapshot::hold_time, holds},
    {"redlock_stop_margin_seconds",
     "Validity that was left when stop was requested, of leases lost by deadline.",
     &metrics_snapshot::stop_margin, waits},
    {"redlock_renewal_seconds", "Time from the sending of a renewal to its verdict.",
     &metrics_snapshot::renewal_time, round_trips},
};

constexpr std::string_view states[] = {"connecting", "ready", "suspect", "unavailable", "quarantined"};

constexpr std::string_view kind_names[] = {"exclusive", "read", "write", "permit", "leadership"};

std::string_view name_of(lease_kind k) noexcept { return kind_names[static_cast<std::size_t>(k)]; }

struct wakeup_name {
    wakeup mode;
    std::string_view name;
};
constexpr wakeup_name wakeups[] = {{wakeup::automatic, "unknown"},
                                   {wakeup::keyspace_events, "keyspace_events"},
                                   {wakeup::client_tracking, "client_tracking"},
                                   {wakeup::timed, "timed"}};

void write_locks(exposition& out, const metrics_snapshot& m) {
    for (const auto& f : counters) {
        out.counter(f.name, f.help);
        out.sample({}, m.*f.value);
    }
    out.counter("redlock_grants_by_kind_total", "Leases granted, by what they let their holders do.");
    for (const kind_count& k : m.kinds)
        out.sample({{"kind", name_of(k.kind)}}, k.grants);
    out.gauge("redlock_leases_held_by_kind", "Leases held now, by what they let their holders do.");
    for (const kind_count& k : m.kinds)
        out.sample({{"kind", name_of(k.kind)}}, std::uint64_t{k.held});
    out.counter("redlock_refused_calls_total", "Calls that ended without a lease, by reason.");
    for (const refusal_count& r : m.refused_calls)
        if (const char* reason = lock::name_of(r.why)) out.sample({{"reason", reason}}, r.calls);
    out.counter("redlock_renewals_total", "Renewal rounds, by what came of them.");
    out.sample({{"outcome", "confirmed"}}, m.renewals);
    out.sample({{"outcome", "failed"}}, m.failed_renewals);
    out.counter("redlock_handoffs_total",
                "Leases that went to a caller that waited, from the same client or from another.");
    out.sample({{"from", "local"}}, m.handoffs);
    out.sample({{"from", "remote"}}, m.remote_handoffs);
    out.counter("redlock_leases_lost_total", "Leases lost, by cause.");
    out.sample({{"cause", "deadline"}}, m.lost_by_deadline);
    out.sample({{"cause", "majority"}}, m.lost_by_majority);
    for (const auto& f : gauges) {
        out.gauge(f.name, f.help);
        out.sample({}, m.*f.value);
    }
    for (const distribution& d : distributions) {
        out.histogram(d.name, d.help);
        out.sample({}, m.*d.values, d.bounds);
    }
}

void write_nodes(exposition& out, const std::vector<node_metrics>& nodes) {
    out.gauge("redlock_node_state", "1 for the state that the node is in, 0 for the others.");
    for (const node_metrics& n : nodes)
        for (const std::string_view state : states)
            out.sample({{"node", n.node}, {"state", state}}, std::uint64_t{n.state == state});
    out.gauge("redlock_node_wakeup",
              "1 for the way in which the node tells that a key became free, 0 for the others.");
    for (const node_metrics& n : nodes)
        for (const wakeup_name& w : wakeups)
            out.sample({{"node", n.node}, {"mode", w.name}}, std::uint64_t{n.wakeup == w.mode});
    out.gauge("redlock_node_quarantined", "Whether the node is not to be trusted with a vote now.");
    for (const node_metrics& n : nodes)
        out.sample({{"node", n.node}}, std::uint64_t{n.quarantined});
    out.gauge("redlock_node_may_evict_locks", "Whether the node drops locks as its memory runs short.");
    for (const node_metrics& n : nodes)
        out.sample({{"node", n.node}}, std::uint64_t{!n.eviction_policy.empty()});
    for (const auto& f : node_counters) {
        out.counter(f.name, f.help);
        for (const node_metrics& n : nodes)
            out.sample({{"node", n.node}}, n.*f.value);
    }
    out.histogram("redlock_node_round_trip_seconds", "Round trips to the node, measured one at a time.");
    for (const node_metrics& n : nodes)
        out.sample({{"node", n.node}}, n.round_trips, round_trips);
}

} // namespace

std::string to_prometheus(const metrics_snapshot& m) {
    exposition out;
    out.gauge("redlock_build_info", "1; the version is in the label.");
    out.sample({{"version", version()}}, std::uint64_t{1});
    out.gauge("redlock_engine_info", "1; what grants the locks is in the label.");
    out.sample({{"engine", m.engine}}, std::uint64_t{1});
    write_locks(out, m);
    write_nodes(out, m.nodes);
    return out.take();
}

} // namespace redlock
