#pragma once

#include "bench_counts.hpp"
#include "bench_plan.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace redlock::tool {

/// What the processes saw of one node.
struct node_point {
    std::size_t ready = 0;     ///< so many processes take it for ready
    std::size_t processes = 0; ///< of so many that were there
    std::chrono::nanoseconds round_trip{0};

    bool up() const noexcept { return processes > 0 && ready == processes; }
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
    std::size_t nodes_up() const noexcept;
};

struct node_total {
    std::string address{}; ///< without user and password
    std::uint64_t commands = 0;
    std::uint64_t timeouts = 0;
    std::uint64_t disconnects = 0;
    double up = 0; ///< part of the time in which all processes took it for ready, 0 to 1
    std::chrono::nanoseconds round_trip{0}; ///< the mean of the run
};

/// What a run came to.
struct bench_report {
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

/// The load in words.
std::string text_of(const bench_plan& plan);

/// A length of time for people to read, such as 1.25 ms.
std::string length_text(std::chrono::nanoseconds time);

/// What to end with; see the command's description.
int status_of(const bench_report& report);

std::string table_of(const bench_report& report, bool colour);
std::string json_of(const bench_report& report);

} // namespace redlock::tool
