#pragma once

#include "bench/bench_counts.hpp"
#include "bench/bench_plan.hpp"
#include "bench/report/bench_origin.hpp"
#include "bench/report/figure_text.hpp"
#include "text/terminal.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace redlock::tool {

/// What the processes saw of one node.
struct node_point {
    std::chrono::nanoseconds up{0};      ///< for which it took requests, of all processes together
    std::chrono::nanoseconds watched{0}; ///< of so much time of all processes together
    std::size_t ready = 0;               ///< processes from which it took requests at the end
    std::size_t processes = 0;           ///< that were there at the end
    std::chrono::nanoseconds round_trip{0};

    /// The part of the time in which it was up, 0 to 1. Where no process told anything it is as it was last.
    double part_up() const noexcept {
        if (watched.count() > 0)
            return static_cast<double>(up.count()) / static_cast<double>(watched.count());
        return processes > 0 ? static_cast<double>(ready) / static_cast<double>(processes) : 0;
    }
    /// All the time, for all processes.
    bool always_up() const noexcept { return part_up() >= 1; }
};

/// A part of the run.
struct bench_point {
    double begin = 0; ///< seconds since the run began
    double end = 0;
    bench_counts counts{};
    latency_counts latency{};
    std::vector<node_point> nodes{};

    double per_second(std::uint64_t number) const noexcept {
        return end > begin ? static_cast<double>(number) / (end - begin) : 0;
    }
    /// Nodes that were up from beginning to end.
    std::size_t nodes_up() const noexcept;
};

struct node_total {
    std::string address{}; ///< without user and password
    std::uint64_t commands = 0;
    std::uint64_t timeouts = 0;
    std::uint64_t disconnects = 0;
    std::string server{}; ///< product and version; empty where they are not known
    double up = 0;        ///< part of the time in which it took requests, of all processes, 0 to 1
    std::chrono::nanoseconds round_trip{0}; ///< the mean of the run
};

/// What a run came to.
struct bench_report {
    bench_origin origin{};
    bench_plan plan{};
    int signal = 0; ///< that ended it before its time, or 0
    double seconds = 0;
    bench_counts counts{};
    latency_counts latency{}; ///< from when an attempt was to begin until the grant
    latency_counts service{}; ///< from when it did begin
    std::vector<bench_point> points{};
    std::vector<node_total> nodes{};
    std::vector<std::string> faults{}; ///< of processes that did not end as they should

    double per_second(std::uint64_t number) const noexcept {
        return seconds > 0 ? static_cast<double>(number) / seconds : 0;
    }
};

/// Says where the report comes from, and what each node runs.
void add_origin(bench_report& report, bench_origin origin);

/// The load in words.
std::string text_of(const bench_plan& plan);

/// What to end with; see the command's description.
int status_of(const bench_report& report);

std::string table_of(const bench_report& report, const reader& where);
std::string json_of(const bench_report& report);

} // namespace redlock::tool
