#pragma once

#include "chaos/client_terms.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace redlock::chaos {

class history;

/// A lease that was granted, with the times of `hold`.
struct grant {
    std::size_t client = 0;
    std::uint32_t key = 0;
    std::int64_t asked = 0;
    std::int64_t granted = 0;
    std::int64_t last_valid = 0;
    std::uint64_t token = 0;
    bool reads = false;          ///< others that read may hold it at the same time
    std::int64_t downgraded = 0; ///< from then on it is one that reads; 0 when it never was

    /// Until when it keeps out those who read.
    std::int64_t sole_until() const noexcept { return downgraded != 0 ? downgraded : last_valid; }
};

/// A stretch of time.
struct span {
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

/// All grants that were seen valid, by the time at which they were.
std::vector<grant> grants_in(const history& log);

/// What must not be, in words: two leases of a key that were valid at one time and do not both read, a token
/// that is not above that of an earlier lease of the key that was over, or was seen, before this one was
/// asked for. `grants` are in order.
std::vector<std::string> violations_in(const std::vector<grant>& grants);

/// Of what all clients can do together and is on these terms, that which they have done less than `least`
/// times, in words.
std::vector<std::string> shortcomings(const history& log, const client_terms& terms, std::uint64_t least);

/// The longest time without a grant within any of the spans. `grants` are in order.
std::int64_t longest_pause(const std::vector<grant>& grants, const std::vector<span>& spans);

} // namespace redlock::chaos
