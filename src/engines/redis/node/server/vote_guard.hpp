#pragma once

#include "core/validity.hpp"
#include "engines/redis/node/server/server_info.hpp"
#include "time/instant.hpp"

#include <chrono>
#include <string>
#include <string_view>

namespace redlock::node {

/// Says how long a node must not vote: one that restarted may have lost the keys it promised, and one whose
/// clock jumped has let them run out early (redis.io, "Distributed Locks with Redis", section "Performance,
/// crash recovery and fsync"; Kleppmann, "How to do distributed locking", 2016). Both have forgotten all that
/// counts after the largest ttl in use. So has one that was promoted in place of another. Takes the time from
/// outside.
class vote_guard {
public:
    /// `largest_ttl` 0 turns it off.
    vote_guard(std::chrono::nanoseconds largest_ttl, const core::drift_allowance& drift) noexcept
        : largest_ttl_(largest_ttl), drift_(drift) {}

    bool on() const noexcept { return largest_ttl_ > std::chrono::nanoseconds::zero(); }

    /// A connection begins, with a server that says this of itself. One that does not tell for how long it
    /// has been running may have started this very moment.
    void connected(const server_info& server, time::instant now);

    /// That server leads a group, whose Sentinels have seen it do so since then at the latest, and may have
    /// been believed to do so for `belief` after it did not. Replication does not wait for replicas: one that
    /// was promoted may lack keys that its master promised, and it neither starts anew nor changes its run id
    /// by that; what changes is its replication id.
    void leads_group(std::string_view replication_id, time::instant since, std::chrono::nanoseconds belief);

    /// That server is one of a cluster, which says whether it was ever promoted, though not when. It may have
    /// been this very moment, and its predecessor have been believed to be the owner of slots for `belief`
    /// after that.
    void serves_slots(std::string_view replication_id, bool was_promoted, time::instant now,
                      std::chrono::nanoseconds belief);

    /// The server's clock was read at some moment between the two. It jumped when that cannot be explained by
    /// the drift since the last reading. True when it did.
    bool read_clock(std::chrono::microseconds server_time, time::instant sent, time::instant received);

    /// When the node may vote.
    time::instant votes_from() const noexcept { return votes_from_; }
    /// Why it may not, in words that continue a sentence beginning with the node's name.
    const std::string& reason() const noexcept { return reason_; }

private:
    void keep_out(time::instant until, std::string reason);

    std::chrono::nanoseconds largest_ttl_;
    core::drift_allowance drift_;
    time::instant votes_from_ = time::instant::min();
    std::string reason_;
    std::string replication_id_; ///< of a group; empty before the first time
    bool has_reading_ = false;
    time::instant read_at_{};                ///< when the last reading was asked for
    std::chrono::nanoseconds least_ahead_{}; ///< of our clock, by the last reading
    std::chrono::nanoseconds most_ahead_{};
};

} // namespace redlock::node
