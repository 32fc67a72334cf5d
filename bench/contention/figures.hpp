#pragma once

#include "contention/scenario.hpp"

#include <vector>

namespace bench {

/// What a course of events comes to.
struct contention_figures {
    double grants = 0;
    double grants_per_second = 0;
    double hold_microseconds = 0; ///< median time that a key was really held
    double handoff_p50_microseconds =
        0; ///< from the call of a release to the grant in another process that was waiting
    double handoff_p99_microseconds = 0;
    double gap_p99_microseconds = 0;      ///< from any release to the grant of one that was waiting
    double longest_wait_milliseconds = 0; ///< also of those that were not granted
    double strict_order_milliseconds = 0; ///< see `strict_order`
    double least_against_most =
        0; ///< grants of the process that got the fewest, against the most, while all were there
    double most_grants = 0; ///< of one process meanwhile
    double smallest_share =
        0; ///< of the grants, of the process that got the fewest, times the number of processes
    double commands_per_grant = 0;
    double cpu_microseconds_per_grant = 0;
    double refusals_per_grant = 0;
    double splits_per_grant = 0;
    double arbiter_tries_per_grant = 0;
    double kept_votes_per_grant = 0;
    double read_wait_p99_milliseconds = 0; ///< of those that only read
    double wait_p99_milliseconds = 0;      ///< of all others
    // Of npm redlock among ours.
    double npm_grants = 0;
    double npm_longest_wait_milliseconds = 0;
    std::uint64_t failures = 0;
    std::uint64_t overlaps = 0;   ///< grants while another process had not released: must be 0
    std::vector<double> handoffs; ///< all of them, in microseconds, ascending
};

/// In words.
inline constexpr const char* strict_order = "strict order: the wait of one that waits for every other caller "
                                            "once, (callers - 1) x (hold + hand-over) + hand-over,\n"
                                            "with the median hold and hand-over of the same run (hand-overs "
                                            "between processes and within one by their part)";

contention_figures figures_of(const scenario& what, const course& all);

} // namespace bench
