#pragma once

#include "bench/report/bench_report.hpp"

namespace redlock::tool {

/// Adds up what the processes tell. Bounded in size, however long the run takes: neighbouring points become
/// one when there are too many. Not thread-safe.
class bench_record {
public:
    /// `most_points` is even.
    bench_record(const bench_plan& plan, std::size_t most_points);

    void name_node(std::size_t index, const std::string& address);
    void add(std::size_t index, const load_report& told);
    /// It has nothing more to say; `fault` says what was wrong. When that is empty, it ended as it should,
    /// and its last view of the nodes still counts.
    void process_ended(std::size_t index, const std::string& fault);

    /// Ends a part of the run, so many seconds after its beginning, and returns it. The reference is valid
    /// until the next call.
    const bench_point& close_point(double now);

    /// All that came in. What came since the last point was closed is a point of its own, or a part of the
    /// last one when that was less than half an interval ago.
    bench_report finish(double seconds, int signal);

    const bench_counts& counts() const noexcept { return report_.counts; }
    std::size_t nodes() const noexcept { return report_.nodes.size(); }

private:
    struct process {
        bool died = false;
        load_report last{};
    };

    void look_at(std::size_t node, node_point& seen) const;
    void halve();
    void sum_up();

    std::size_t most_points_;
    bench_report report_{};
    bench_point open_{};
    std::vector<process> processes_;
};

} // namespace redlock::tool
