#include "bench/report/bench_record.hpp"

#include <algorithm>
#include <utility>

namespace redlock::tool {
namespace {

void merge_counts(bench_point& into, const bench_point& other) {
    into.counts.merge(other.counts);
    into.latency.merge(other.latency);
}

void merge_times(bench_point& into, const bench_point& other) {
    into.nodes.resize(std::max(into.nodes.size(), other.nodes.size()));
    for (std::size_t i = 0; i < other.nodes.size(); ++i) {
        into.nodes[i].up += other.nodes[i].up;
        into.nodes[i].watched += other.nodes[i].watched;
    }
}

void merge_nodes(bench_point& into, const bench_point& later) {
    merge_times(into, later);
    for (std::size_t i = 0; i < later.nodes.size(); ++i) {
        auto& mine = into.nodes[i];
        mine.ready = later.nodes[i].ready;
        mine.processes = later.nodes[i].processes;
        mine.round_trip = std::max(mine.round_trip, later.nodes[i].round_trip);
    }
}

} // namespace

bench_record::bench_record(const bench_plan& plan, std::size_t most_points)
    : most_points_(most_points), processes_(plan.processes) {
    report_.plan = plan;
}

void bench_record::name_node(std::size_t index, const std::string& address) {
    if (index >= most_nodes) return;
    if (index >= report_.nodes.size()) report_.nodes.resize(index + 1);
    report_.nodes[index].address = address;
}

void bench_record::add(std::size_t index, const load_report& told) {
    open_.counts.merge(told.counts);
    open_.latency.merge(told.latency);
    report_.counts.merge(told.counts);
    report_.latency.merge(told.latency);
    report_.service.merge(told.service);
    auto& last = processes_.at(index).last;
    last.nodes = std::min<std::uint32_t>(told.nodes, most_nodes);
    last.node = told.node;
    open_.nodes.resize(std::max<std::size_t>(open_.nodes.size(), last.nodes));
    for (std::size_t i = 0; i < last.nodes; ++i) {
        open_.nodes[i].up += std::chrono::nanoseconds(told.node[i].up);
        open_.nodes[i].watched += std::chrono::nanoseconds(told.node[i].watched);
    }
}

void bench_record::process_ended(std::size_t index, const std::string& fault) {
    if (fault.empty()) return;
    processes_.at(index).died = true;
    report_.faults.push_back(fault);
}

void bench_record::look_at(std::size_t node, node_point& seen) const {
    for (const auto& p : processes_) {
        if (p.died || node >= p.last.nodes) continue;
        ++seen.processes;
        if (p.last.node[node].ready) ++seen.ready;
        seen.round_trip += std::chrono::nanoseconds(p.last.node[node].round_trip);
    }
    if (seen.processes > 0) seen.round_trip /= static_cast<std::int64_t>(seen.processes);
}

const bench_point& bench_record::close_point(double now) {
    open_.end = now;
    open_.nodes.resize(report_.nodes.size());
    for (std::size_t i = 0; i < report_.nodes.size(); ++i)
        look_at(i, open_.nodes[i]);
    if (report_.points.size() == most_points_) halve();
    report_.points.push_back(std::exchange(open_, {}));
    open_.begin = now;
    return report_.points.back();
}

void bench_record::halve() {
    auto& points = report_.points;
    for (std::size_t i = 0; i < points.size() / 2; ++i) {
        bench_point both = std::move(points[2 * i]);
        const bench_point& later = points[2 * i + 1];
        merge_counts(both, later);
        merge_nodes(both, later);
        both.end = later.end;
        points[i] = std::move(both);
    }
    points.resize(points.size() / 2);
}

bench_report bench_record::finish(double seconds, int signal) {
    const double half = std::chrono::duration<double>(report_.plan.interval).count() / 2;
    if (report_.points.empty() || seconds - open_.begin >= half) {
        close_point(seconds);
    } else {
        // Rates over a moment mean nothing.
        auto& last = report_.points.back();
        merge_times(last, open_);
        merge_counts(last, std::exchange(open_, {}));
        last.end = std::max(last.end, seconds);
    }
    report_.seconds = seconds;
    report_.signal = signal;
    sum_up();
    return report_;
}

void bench_record::sum_up() {
    for (std::size_t i = 0; i < report_.nodes.size(); ++i) {
        auto& total = report_.nodes[i];
        for (const auto& p : processes_) {
            total.commands += p.last.node[i].commands;
            total.timeouts += p.last.node[i].timeouts;
            total.disconnects += p.last.node[i].disconnects;
        }
        node_point all;
        double known = 0;
        double trips = 0;
        for (const auto& point : report_.points) {
            if (i >= point.nodes.size()) continue;
            const node_point& seen = point.nodes[i];
            all.up += seen.up;
            all.watched += seen.watched;
            if (seen.processes == 0) continue;
            const double length = point.end - point.begin;
            known += length;
            trips += length * static_cast<double>(seen.round_trip.count());
        }
        total.up = all.part_up();
        if (known > 0) total.round_trip = std::chrono::nanoseconds(static_cast<std::int64_t>(trips / known));
    }
}

} // namespace redlock::tool
