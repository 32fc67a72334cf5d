#pragma once

#include <cstddef>
#include <cstdint>

namespace redlock::lock {

/// What `metrics_snapshot` reports of the lock layer; the fields are explained there.
struct counters {
    std::uint64_t grants = 0;
    std::uint64_t refusals = 0;
    std::uint64_t split_votes = 0;
    std::uint64_t arbiter_tries = 0;
    std::uint64_t kept_votes = 0;
    std::uint64_t no_quorum = 0;
    std::uint64_t late_grants = 0;
    std::uint64_t renewals = 0;
    std::uint64_t failed_renewals = 0;
    std::uint64_t repairs = 0;
    std::uint64_t unlocks = 0;
    std::uint64_t handoffs = 0;
    std::uint64_t fence_retries = 0;
    std::uint64_t lost_by_deadline = 0;
    std::uint64_t lost_by_majority = 0;
    std::uint64_t cancelled = 0;
    std::size_t held = 0;
    std::size_t waiting = 0;
};

} // namespace redlock::lock
