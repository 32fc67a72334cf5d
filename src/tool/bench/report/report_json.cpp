#include "bench/report/bench_report.hpp"
#include "cli/setter.hpp"
#include "text/json_line.hpp"

#include <redlock/version.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <utility>

namespace redlock::tool {
namespace {

namespace json = boost::json;

double milliseconds_of(std::chrono::nanoseconds time) { return static_cast<double>(time.count()) / 1e6; }

json::value optional_time(std::chrono::milliseconds time) {
    return time == forever ? json::value(nullptr) : json::value(time.count());
}

const char* name_of(key_shape shape) {
    if (shape == key_shape::one) return "one";
    return shape == key_shape::zipf ? "zipf" : "uniform";
}

json::object object_of(const bench_plan& plan) {
    json::object result{{"processes", plan.processes},
                        {"callers", plan.callers},
                        {"distribution", name_of(plan.shape)},
                        {"keys", plan.keys},
                        {"hold_milliseconds", plan.hold.count()},
                        {"ttl_milliseconds", plan.ttl.count()},
                        {"wait_milliseconds", optional_time(plan.wait)},
                        {"fencing", plan.fencing},
                        {"loop", plan.rate > 0 ? "open" : "closed"}};
    if (plan.shape == key_shape::zipf) result["exponent"] = plan.exponent;
    if (plan.rate > 0) {
        result["rate"] = plan.rate;
        result["arrivals"] = plan.poisson ? "poisson" : "even";
        result["backlog"] = plan.backlog;
    }
    return result;
}

json::object object_of(const bench_counts& counts) {
    json::object result;
    for (const auto& field : count_fields)
        result[field.name] = counts.*field.value;
    return result;
}

json::object object_of(const latency_counts& latency) {
    json::object result{{"count", latency.count()}, {"mean", milliseconds_of(latency.mean())}};
    for (const auto& [name, percent] :
         {std::pair("p50", 50.0), {"p90", 90.0}, {"p99", 99.0}, {"p99.9", 99.9}})
        result[name] = milliseconds_of(latency.percentile(percent));
    result["max"] = milliseconds_of(latency.max());
    return result;
}

json::object object_of(const node_total& node) {
    return {{"node", node.address},
            {"server", node.server.empty() ? json::value(nullptr) : json::value(node.server)},
            {"up", node.up},
            {"round_trip_milliseconds", milliseconds_of(node.round_trip)},
            {"commands", node.commands},
            {"timeouts", node.timeouts},
            {"disconnects", node.disconnects}};
}

json::object object_of(const bench_point& point) {
    json::array nodes;
    for (const auto& n : point.nodes)
        nodes.push_back(
            json::object{{"up", n.part_up()}, {"round_trip_milliseconds", milliseconds_of(n.round_trip)}});
    return {{"begin", point.begin},
            {"end", point.end},
            {"counts", object_of(point.counts)},
            {"latency_milliseconds", object_of(point.latency)},
            {"nodes", std::move(nodes)}};
}

json::array buckets_of(const latency_counts& latency) {
    json::array result;
    for (std::size_t i = 0; i < latency_counts::buckets; ++i)
        if (latency.count_in(i) > 0)
            result.push_back(json::array{milliseconds_of(latency_counts::top_of(i)), latency.count_in(i)});
    return result;
}

template <class Value>
json::array list_of(const std::vector<Value>& values) {
    json::array result;
    for (const auto& each : values)
        result.push_back(object_of(each));
    return result;
}

} // namespace

std::string json_of(const bench_report& report) {
    json::array faults;
    for (const auto& fault : report.faults)
        faults.push_back(json::string(fault));
    const json::object all{{"plan", object_of(report.plan)},
                           {"begun", report.origin.begun},
                           {"host", report.origin.host},
                           {"command_line", report.origin.command_line},
                           {"version", version()},
                           {"seconds", report.seconds},
                           {"interrupted", report.signal != 0},
                           {"counts", object_of(report.counts)},
                           {"grants_per_second", report.per_second(report.counts.grants)},
                           {"latency_milliseconds", object_of(report.latency)},
                           {"service_milliseconds", object_of(report.service)},
                           {"latency_buckets", buckets_of(report.latency)},
                           {"nodes", list_of(report.nodes)},
                           {"points", list_of(report.points)},
                           {"faults", std::move(faults)}};
    return json_line(all);
}

} // namespace redlock::tool
