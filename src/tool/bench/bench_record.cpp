#include "bench_record.hpp"

#include <algorithm>
#include <utility>

namespace redlock::tool {
namespace {

void merge_counts(bench_point& into, const bench_point& other) {
    into.counts.merge(other.counts);
    into.latency.merge(other.latency);
}

// Of two parts of the run the worse state counts: a short failure does not go unseen in a long run.
void merge_nodes(bench_point& into, const bench_point& later) {
    into.nodes.resize(std::max(into.nodes.size(), later.nodes.size()));
    for (std::size_t i = 0; i < later.nodes.size(); ++i) {
        auto& mine = into.nodes[i];
        const auto& other = later.nodes[i];
        if (mine.up() || mine.processes == 0 || (!other.up() && other.ready < mine.ready)) {
            mine.ready = other.ready;
            mine.processes = other.processes;
        }
        mine.round_trip = std::max(mine.round_trip, other.round_trip);
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
}

void bench_record::process_ended(std::size_t index, const std::string& fault) {
    if (fault.empty()) return;
    processes_.at(index).died = true;
    report_.faults.push_back(fault);
}

node_point bench_record::look_at(std::size_t node) const {
    node_point seen;
    for (const auto& p : processes_) {
        if (p.died || node >= p.last.nodes) continue;
        const auto& view = p.last.node[node];
        ++seen.processes;
        if (view.ready) ++seen.ready;
        seen.round_trip += std::chrono::nanoseconds(view.round_trip);
    }
    if (seen.processes > 0) seen.round_trip /= static_cast<std::int64_t>(seen.processes);
    return seen;
}

const bench_point& bench_record::close_point(double now) {
    open_.end = now;
    for (std::size_t i = 0; i < report_.nodes.size(); ++i)
        open_.nodes.push_back(look_at(i));
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
        double up = 0;
        double known = 0;
        double trips = 0;
        for (const auto& point : report_.points) {
            if (i >= point.nodes.size() || point.nodes[i].processes == 0) continue;
            const double length = point.end - point.begin;
            known += length;
            if (point.nodes[i].up()) up += length;
            trips += length * static_cast<double>(point.nodes[i].round_trip.count());
        }
        if (known <= 0) continue;
        total.up = up / known;
        total.round_trip = std::chrono::nanoseconds(static_cast<std::int64_t>(trips / known));
    }
}

} // namespace redlock::tool
