// What is to be said of one node: whether it can vote, and whether its votes can be trusted.

#include "doctor/node_findings.hpp"

#include "cli/option_words.hpp"

#include <redlock/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace redlock::tool {
namespace {

using std::chrono::nanoseconds;

constexpr nanoseconds notable_offset = std::chrono::seconds(1);

const char* advice_for(const boost::system::error_code& error) {
    if (error == errc::authentication_failed) return "Correct the user and the password in its address.";
    if (error == errc::permission_denied) return "Give the user the right to this database.";
    if (error == errc::protocol_error) return "Correct the address: what answers there is no Redis.";
    if (error == errc::tls_failed)
        return "Correct what does not fit: the authority (--cacert), the name (--tls-server-name), the "
               "client's "
               "certificate (--cert, --key), or the address.";
    if (error == errc::node_timeout)
        return "Look whether it is overloaded or stopped, and whether a firewall drops what is sent to it.";
    return "Look whether it runs, listens on this address and can be reached from here.";
}

void look_at_access(const node_examination& node, std::vector<finding>& all) {
    if (!node.error) return;
    const std::string why = in_options(node.error_text.empty() ? node.error.message() : node.error_text);
    all.push_back({.weight = severity::fault,
                   .topic = "unreachable",
                   .text = fmt::format("{}.", why),
                   .advice = advice_for(node.error)});
}

void look_at_role(const std::vector<node_examination>& nodes, const node_examination& node,
                  std::vector<finding>& all) {
    if (node.role == "replica") {
        const std::string master = node.replica_of ? nodes[*node.replica_of].node : node.master;
        all.push_back({.weight = severity::fault,
                       .topic = "replica",
                       .text = fmt::format("It is a replica{}, which can hold no locks of its own.",
                                           master.empty() ? "" : " of " + master),
                       .advice = "Name a master that shares no data with the other nodes in its place."});
    }
    if (node.same_server_as)
        all.push_back({.weight = severity::fault,
                       .topic = "same_server",
                       .text = fmt::format("It is the same server as {}, and would vote twice.",
                                           nodes[*node.same_server_as].node),
                       .advice = "Name every server once."});
    const bool is_alone = node.node.find("+cluster://") == node.node.npos;
    if ((node.mode == "cluster" && is_alone) || node.mode == "sentinel")
        all.push_back(
            {.weight = severity::fault,
             .topic = "mode",
             .text = fmt::format("It runs in {} mode, in which it does not take every key.", node.mode),
             .advice = node.mode == "cluster"
                           ? "Name the whole cluster, by redis+cluster://, or other servers."
                           : "Name independent servers in standalone mode."});
}

void look_at_quarantine(const node_examination& node, const config& settings, std::vector<finding>& all) {
    const bool known = node.error || node.role == "replica" || node.same_server_as;
    if (node.refusal && !known) {
        const bool passes = node.refusal == errc::node_quarantined;
        all.push_back({.weight = passes ? severity::warning : severity::fault,
                       .topic = passes ? "quarantined" : "refused",
                       .text = fmt::format("{}.", in_options(node.refusal_text)),
                       .advice = passes ? "Wait. Until then the set bears the loss of one node less." : ""});
    } else if (!node.refusal && !is_database(node) && node.uptime && *node.uptime < settings.restart_guard) {
        all.push_back({.weight = severity::warning,
                       .topic = "quarantined",
                       .text = fmt::format("It was started {} ago, less than restart_guard ({}).",
                                           readable(*node.uptime), readable(settings.restart_guard)),
                       .advice = "Wait. Until then the set bears the loss of one node less."});
    }
}

void look_at_eviction(const node_examination& node, std::vector<finding>& all) {
    if (node.eviction_policy.empty() || node.eviction_policy == "noeviction") return;
    const bool matters = node.memory_is_limited.value_or(true);
    all.push_back(
        {.weight = matters ? severity::fault : severity::note,
         .topic = "eviction",
         .text = fmt::format("It may drop locks that are held when memory runs short: "
                             "maxmemory-policy is {}{}.",
                             node.eviction_policy, matters ? "" : ", though maxmemory is not set"),
         .advice = "CONFIG SET maxmemory-policy noeviction, and the same in its configuration file."});
}

/// What a group may forget in a fail-over, and what it may do after one.
void look_at_group(const node_examination& node, const config& settings, std::vector<finding>& all) {
    if (settings.restart_guard.count() == 0)
        all.push_back({.weight = severity::warning,
                       .topic = "promotion",
                       .text =
                           "After a fail-over it votes at once although its new master may lack locks that "
                           "are held: two clients can get one lock.",
                       .advice = "Set restart_guard to the largest ttl in use in all clients."});
    if (node.replicas_needed && *node.replicas_needed == 0)
        all.push_back(
            {.weight = severity::note,
             .topic = "old_master",
             .text = "A master that was replaced, and does not know it, goes on accepting writes. "
                     "Clients of this library leave it within 3 s, other programs may not.",
             .advice = "CONFIG SET min-replicas-to-write 1, and the same in its configuration file."});
    else if (node.replicas_needed && node.replicas_longest_lag && node.replicas_longest_lag->count() == 0)
        all.push_back(
            {.weight = severity::note,
             .topic = "old_master",
             .text = "min-replicas-to-write is without effect, for min-replicas-max-lag is 0: a master "
                     "that was replaced, and does not know it, goes on accepting writes.",
             .advice = "CONFIG SET min-replicas-max-lag 10, and the same in its configuration file."});
}

void look_at_memory(const node_examination& node, const config& settings, std::vector<finding>& all) {
    if (!node.group_master.empty()) return look_at_group(node, settings, all);
    if (settings.restart_guard.count() > 0) return;
    const auto add = [&](severity weight, std::string text) {
        all.push_back(
            {.weight = weight,
             .topic = "persistence",
             .text = std::move(text),
             .advice = "Set restart_guard to the largest ttl in use in all clients, or appendonly yes and "
                       "appendfsync always on the node."});
    };
    if (!node.append_only)
        add(severity::note, "It does not tell whether it keeps its keys through a restart.");
    else if (!*node.append_only)
        add(severity::warning,
            fmt::format("After a restart it votes at once although it has forgotten the locks "
                        "that are held{}: two clients can get one lock.",
                        node.snapshots.value_or(false) ? " since its last snapshot" : ""));
    else if (node.append_fsync.empty())
        add(severity::note, "It logs every write, but does not tell when the log reaches the disk.");
    else if (node.append_fsync != "always")
        add(severity::warning,
            fmt::format(
                "After a crash of its machine it votes at once although it may have forgotten locks that "
                "are held: appendfsync is {}.",
                node.append_fsync));
}

void look_at_clock(const node_examination& node, std::vector<finding>& all) {
    if (!node.clock) return;
    const nanoseconds size = node.clock->ahead < nanoseconds(0) ? -node.clock->ahead : node.clock->ahead;
    if (size - node.clock->uncertainty < notable_offset) return;
    all.push_back(
        {.weight = severity::warning,
         .topic = "clock",
         .text = fmt::format("Its clock is {} {} that of this machine. Setting it right at one stroke "
                             "ends leases early or late.",
                             readable(size), node.clock->ahead.count() > 0 ? "ahead of" : "behind"),
         .advice = "Keep the clocks by NTP, which slews them, and set restart_guard, which notices jumps."});
}

void look_at_database(const node_examination& node, const config& settings, std::vector<finding>& all) {
    if (node.product == "mariadb" && !node.append_only.value_or(true))
        all.push_back({.weight = severity::warning,
                       .topic = "persistence",
                       .text = fmt::format(
                           "It acknowledges what is not on its disk yet "
                           "(innodb_flush_log_at_trx_commit is {}): after a crash two clients can get one "
                           "lock.",
                           node.append_fsync),
                       .advice = "Set it to 1, or restart_guard to the largest ttl in use in all clients."});
    else if (!node.append_only.value_or(true) || node.append_fsync == "off")
        all.push_back(
            {.weight = severity::warning,
             .topic = "persistence",
             .text = fmt::format("It acknowledges what is not on its disk yet (synchronous_commit is {}, "
                                 "fsync is {}): after a crash two clients can get one lock.",
                                 node.append_fsync, node.append_only.value_or(true) ? "on" : "off"),
             .advice = "Set both to on, or restart_guard to the largest ttl in use in all clients."});
    if (settings.restart_guard.count() == 0)
        all.push_back({.weight = severity::note,
                       .topic = "promotion",
                       .text =
                           "A standby that is promoted grants at once although it may lack locks that are "
                           "held.",
                       .advice = "Set restart_guard to the largest ttl in use where it has standbys."});
}

void look_at_database_rights(const node_examination& node, std::vector<finding>& all) {
    for (const missing_right& right : node.missing_rights)
        all.push_back({.weight = severity::fault,
                       .topic = "locking",
                       .text = fmt::format("The user may not do what every lock needs: {}.", right.rule),
                       .advice = "Grant it, see redlock sql."});
}

/// What the client gives a command (config::node_timeout): more where a majority of the nodes is far away.
nanoseconds time_for_a_command(const std::vector<node_examination>& nodes, const config& settings) {
    constexpr nanoseconds longest = std::chrono::seconds(1);
    std::vector<nanoseconds> known;
    for (const node_examination& one : nodes)
        if (one.least_round_trip) known.push_back(*one.least_round_trip);
    if (known.empty()) return settings.node_timeout;
    std::ranges::sort(known);
    const nanoseconds to_majority = known[std::min(nodes.size() / 2 + 1, known.size()) - 1];
    return std::max<nanoseconds>(settings.node_timeout, std::min(longest, 8 * to_majority));
}

void look_at_latency(const std::vector<node_examination>& nodes, const node_examination& node,
                     const config& settings, std::vector<finding>& all) {
    if (!node.median_round_trip) return;
    const nanoseconds usual = *node.median_round_trip;
    if (4 * usual < time_for_a_command(nodes, settings)) return;
    const bool hopeless = usual >= settings.node_timeout;
    all.push_back({.weight = hopeless ? severity::fault : severity::warning,
                   .topic = "latency",
                   .text = fmt::format("A round trip to it takes {}, {} node_timeout ({}).", readable(usual),
                                       hopeless ? "not less than" : "more than a quarter of",
                                       readable(settings.node_timeout)),
                   .advice = fmt::format("Choose a node_timeout of {} or more, or a nearer node.",
                                         readable(std::chrono::ceil<std::chrono::milliseconds>(8 * usual)))});
}

} // namespace

void look_at_node(const std::vector<node_examination>& nodes, std::size_t place, const config& settings,
                  std::vector<finding>& all) {
    const node_examination& node = nodes[place];
    look_at_access(node, all);
    look_at_role(nodes, node, all);
    look_at_quarantine(node, settings, all);
    look_at_latency(nodes, node, settings, all);
    look_at_clock(node, all);
    // What a database refuses may be the very reason why it could not be looked at.
    if (is_database(node)) look_at_database_rights(node, all);
    // Of one that is not to be used nothing more need be said.
    if (node.error || node.role == "replica" || node.same_server_as) return;
    if (is_database(node)) return look_at_database(node, settings, all);
    if (is_etcd(node)) return look_at_etcd(node, all);
    if (is_zookeeper(node)) return;
    look_at_eviction(node, all);
    look_at_memory(node, settings, all);
    look_at_abilities(node, settings, all);
}

} // namespace redlock::tool
