#include "doctor/doctor_report.hpp"
#include "text/json_line.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <optional>

namespace redlock::tool {
namespace {

namespace json = boost::json;

json::value milliseconds_or_null(const std::optional<std::chrono::nanoseconds>& time) {
    if (!time) return nullptr;
    return std::chrono::duration<double, std::milli>(*time).count();
}

json::value name_of(wakeup way) {
    switch (way) {
    case wakeup::keyspace_events:
        return "keyspace_events";
    case wakeup::client_tracking:
        return "client_tracking";
    case wakeup::timed:
        return "timed";
    case wakeup::automatic:
        break;
    }
    return nullptr;
}

const char* name_of(purpose what) noexcept {
    switch (what) {
    case purpose::locking:
        return "locking";
    case purpose::recognition:
        return "recognition";
    case purpose::keyspace_events:
        return "keyspace_events";
    case purpose::queues:
        return "queues";
    case purpose::client_tracking:
        return "client_tracking";
    case purpose::fencing:
        return "fencing";
    case purpose::restart_guard:
        return "restart_guard";
    case purpose::reading:
        return "reading";
    case purpose::configuration:
        break;
    }
    return "configuration";
}

json::value described_clock(const node_examination& node) {
    if (!node.clock) return nullptr;
    return json::object{{"ahead_milliseconds", milliseconds_or_null(node.clock->ahead)},
                        {"uncertainty_milliseconds", milliseconds_or_null(node.clock->uncertainty)}};
}

json::array rights_of(const node_examination& node) {
    json::array all;
    for (const missing_right& right : node.missing_rights)
        all.push_back(json::object{
            {"rule", right.rule}, {"for", name_of(right.needed_for)}, {"no_command", right.no_command}});
    return all;
}

json::value name_of(const std::vector<node_examination>& nodes, const std::optional<std::size_t>& place) {
    return place ? json::value(nodes[*place].node) : json::value(nullptr);
}

json::object object_of(const std::vector<node_examination>& nodes, const node_examination& node) {
    std::optional<std::int64_t> uptime;
    if (node.uptime) uptime = node.uptime->count();
    std::optional<std::int64_t> lag;
    if (node.replicas_longest_lag) lag = node.replicas_longest_lag->count();
    return {{"node", node.node},
            {"reachable", !node.error},
            {"error", text_or_null(node.error_text)},
            {"refusal", text_or_null(node.refusal_text)},
            {"product", text_or_null(node.product)},
            {"version", text_or_null(node.version)},
            {"mode", text_or_null(node.mode)},
            {"protocol", node.protocol},
            {"role", text_or_null(node.role)},
            {"master", text_or_null(node.master)},
            {"replica_of", name_of(nodes, node.replica_of)},
            {"same_server_as", name_of(nodes, node.same_server_as)},
            {"run_id", text_or_null(node.run_id)},
            {"uptime_seconds", value_or_null(uptime)},
            {"snapshots", value_or_null(node.snapshots)},
            {"append_only", value_or_null(node.append_only)},
            {"append_fsync", text_or_null(node.append_fsync)},
            {"memory_is_limited", value_or_null(node.memory_is_limited)},
            {"eviction_policy", text_or_null(node.eviction_policy)},
            {"keyspace_events", value_or_null(node.keyspace_events)},
            {"wakeup", name_of(node.wakeup)},
            {"least_round_trip_milliseconds", milliseconds_or_null(node.least_round_trip)},
            {"median_round_trip_milliseconds", milliseconds_or_null(node.median_round_trip)},
            {"clock", described_clock(node)},
            {"missing_rights", rights_of(node)},
            {"group_master", text_or_null(node.group_master)},
            {"replicas_needed", value_or_null(node.replicas_needed)},
            {"replicas_longest_lag_seconds", value_or_null(lag)}};
}

json::object object_of(const finding& f, const std::vector<node_examination>& nodes) {
    json::array about;
    for (const std::size_t place : f.nodes)
        about.push_back(json::string(nodes[place].node));
    return {{"severity", word_of(f.weight)},
            {"topic", f.topic},
            {"nodes", std::move(about)},
            {"text", f.text},
            {"advice", text_or_null(f.advice)}};
}

} // namespace

std::string json_of(const std::vector<node_examination>& nodes, const std::vector<finding>& found,
                    const std::string& engine) {
    json::array examined;
    for (const auto& node : nodes)
        examined.push_back(object_of(nodes, node));
    json::array findings;
    for (const finding& f : found)
        findings.push_back(object_of(f, nodes));
    const json::object all{{"fit", is_fit(found)},
                           {"nodes", std::move(examined)},
                           {"engine", engine},
                           {"findings", std::move(findings)}};
    return json_line(all);
}

} // namespace redlock::tool
