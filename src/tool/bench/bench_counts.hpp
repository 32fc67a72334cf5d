#pragma once

#include "bench/load/latency_counts.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace redlock::tool {

/// What came of the attempts to take a lock. Can be copied byte by byte.
struct bench_counts {
    std::uint64_t grants = 0;
    std::uint64_t held = 0;            ///< refused because somebody else had the key, and --wait is 0
    std::uint64_t wait_timeouts = 0;   ///< --wait passed
    std::uint64_t no_quorum = 0;       ///< too few nodes answered
    std::uint64_t refused = 0;         ///< the nodes answered with an error
    std::uint64_t failed = 0;          ///< other errors
    std::uint64_t lost = 0;            ///< leases that were lost before they were given back
    std::uint64_t unlock_failures = 0; ///< leases whose unlock failed in another way
    std::uint64_t dropped = 0;         ///< came due while the backlog was full
    std::uint64_t cut_off = 0;         ///< under way, or due, when the run ended

    /// Attempts that ended with neither the lock nor the news that somebody else has it.
    std::uint64_t errors() const noexcept { return no_quorum + refused + failed + lost + unlock_failures; }
    void merge(const bench_counts& other) noexcept;
};

/// One of the counts, for whoever goes through them all.
struct count_field {
    const char* name;
    std::uint64_t bench_counts::*value;
    const char* meaning;
};

inline constexpr std::array count_fields{
    count_field{"grants", &bench_counts::grants, "granted"},
    count_field{"held", &bench_counts::held, "refused: held by another"},
    count_field{"wait_timeouts", &bench_counts::wait_timeouts, "waited in vain"},
    count_field{"no_quorum", &bench_counts::no_quorum, "too few nodes answered"},
    count_field{"refused", &bench_counts::refused, "refused by the nodes"},
    count_field{"failed", &bench_counts::failed, "failed otherwise"},
    count_field{"lost", &bench_counts::lost, "leases lost"},
    count_field{"unlock_failures", &bench_counts::unlock_failures, "unlocks that failed"},
    count_field{"dropped", &bench_counts::dropped, "dropped: backlog full"},
    count_field{"cut_off", &bench_counts::cut_off, "cut off by the end"},
};

inline void bench_counts::merge(const bench_counts& other) noexcept {
    for (const auto& field : count_fields)
        this->*field.value += other.*field.value;
}

/// One node as a process sees it. Can be copied byte by byte.
struct node_view {
    bool ready = false;       ///< it takes requests now
    std::int64_t up = 0;      ///< nanoseconds for which it took requests, since it was told of the last time
    std::int64_t watched = 0; ///< nanoseconds since then
    std::int64_t round_trip = 0; ///< nanoseconds
    std::uint64_t commands = 0;
    std::uint64_t timeouts = 0;
    std::uint64_t disconnects = 0;
};

/// The most nodes that a client takes.
inline constexpr std::size_t most_nodes = 63;

/// What a process has to tell: what happened since it told the last time, and how its nodes are now. Can be
/// copied byte by byte.
struct load_report {
    bench_counts counts{};
    latency_counts latency{}; ///< from when an attempt was to begin until the grant
    latency_counts service{}; ///< from when it did begin
    std::uint32_t nodes = 0;
    std::array<node_view, most_nodes> node{};
};

} // namespace redlock::tool
