#pragma once

#include <cstdint>

namespace redlock::redis {

/// What `metrics_snapshot` reports of the quorum; the fields are explained there.
struct counters {
    std::uint64_t refusals = 0;
    std::uint64_t split_votes = 0;
    std::uint64_t arbiter_tries = 0;
    std::uint64_t kept_votes = 0;
    std::uint64_t no_quorum = 0;
    std::uint64_t repairs = 0;
    std::uint64_t fence_retries = 0;
    std::uint64_t directed_handovers = 0;
    std::uint64_t undirected_waits = 0;
    std::uint64_t yields = 0;
};

} // namespace redlock::redis
