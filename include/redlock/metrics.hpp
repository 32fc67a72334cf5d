#pragma once

#include <redlock/config.hpp>
#include <redlock/detail/language.hpp>
#include <redlock/error.hpp>
#include <redlock/latency_histogram.hpp>
#include <redlock/lease_kind.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace redlock {

/// One node as the client sees it.
struct node_metrics {
    std::string node;  ///< address without user and password
    std::string state; ///< "connecting", "ready", "suspect", "unavailable" or "quarantined"
    boost::system::error_code last_error; ///< why it was last not ready; no error before
    std::string last_error_text;          ///< names the node, the limit and the server's words
    /// How the node tells waiting callers that a key became free; `automatic` while that is not known.
    redlock::wakeup wakeup = redlock::wakeup::automatic;
    /// `maxmemory-policy` of the server, when that may drop locks as memory runs short; empty when it may
    /// not. Such a server is not fit to be a node.
    std::string eviction_policy;
    std::uint64_t commands = 0;             ///< sent
    std::uint64_t timeouts = 0;             ///< commands that let their deadline pass
    std::uint64_t connects = 0;             ///< connections made
    std::uint64_t disconnects = 0;          ///< connections that ended
    std::uint64_t reconnects = 0;           ///< connects but the first
    std::uint64_t quarantines = 0;          ///< times that it was connected but not to be trusted with a vote
    bool quarantined = false;               ///< now
    std::chrono::nanoseconds round_trip{0}; ///< smoothed
    latency_histogram round_trips{};        ///< of one request at a time, with whatever was sent behind it
    /// Of a group behind Sentinels: host and port of the master last connected to. Empty for other nodes.
    std::string master{};
};

/// Calls that ended without a lease for one reason.
struct refusal_count {
    errc why;            ///< the reason
    std::uint64_t calls; ///< so many
};

/// Leases of one kind.
struct kind_count {
    lease_kind kind;      ///< the kind
    std::uint64_t grants; ///< granted as such
    std::size_t held;     ///< held now; a lease for writing that became one for reading is one for reading
};

/// Counts since the client was made, and what is in flight now. The values belong to one instant.
struct metrics_snapshot {
    std::uint64_t grants = 0;        ///< leases granted
    std::uint64_t refusals = 0;      ///< rounds refused because somebody else held the key
    std::uint64_t split_votes = 0;   ///< refused rounds in which no contender was seen to hold a majority
    std::uint64_t arbiter_tries = 0; ///< rounds that asked one node first, because others want the key too
    std::uint64_t kept_votes = 0;    ///< refused rounds whose votes were kept until other contenders gave way
    std::uint64_t no_quorum = 0;     ///< rounds that failed because too few nodes answered
    std::uint64_t late_grants = 0;   ///< majorities that came when the validity was already over
    std::uint64_t renewals = 0;      ///< renewal rounds confirmed by a majority
    std::uint64_t failed_renewals = 0;  ///< renewal rounds that were not, and were retried
    std::uint64_t repairs = 0;          ///< missing keys put back on a node
    std::uint64_t unlocks = 0;          ///< leases given back by unlock or destruction
    std::uint64_t handoffs = 0;         ///< of these, passed on to another caller of this client
    std::uint64_t fence_retries = 0;    ///< fencing tokens that were not agreed on at the first attempt
    std::uint64_t lost_by_deadline = 0; ///< leases lost because no renewal came through in time
    std::uint64_t lost_by_majority = 0; ///< leases lost because a majority of nodes no longer held the key
    std::uint64_t cancelled = 0;        ///< acquires cancelled by their callers
    std::uint64_t remote_handoffs = 0;  ///< leases granted by the nodes after a wait for other processes
    /// Of these, handed on by whoever had the lease before, without the key being free in between.
    std::uint64_t directed_handovers = 0;
    /// Waits for other processes outside of any queue on the nodes: too few nodes keep a queue, or whoever
    /// has the key cannot be told that others wait.
    std::uint64_t undirected_waits = 0;
    std::uint64_t reentries = 0;  ///< calls of owners for what they held already, which are no grants
    std::uint64_t downgrades = 0; ///< leases for writing that became leases for reading
    std::uint64_t yields = 0;     ///< acquires that gave the nodes they had to one who came before

    /// Calls that ended without a lease, but for the cancelled ones: one entry for each `errc`, in their
    /// order, be its count 0 or not.
    std::vector<refusal_count> refused_calls{};

    /// `grants` and `held` by what the leases let their holders do: one entry for each `lease_kind`, in their
    /// order, be its counts 0 or not.
    std::vector<kind_count> kinds{};

    latency_histogram time_to_acquire{}; ///< from the call to the grant
    /// From when a caller began to wait for others, in its own process or elsewhere, to the end of its call,
    /// with a lease or without.
    latency_histogram wait_time{};
    latency_histogram hold_time{}; ///< from the grant until the lease was unlocked, passed on or lost
    /// How much validity was left when stop was requested, for leases lost by deadline.
    latency_histogram stop_margin{};
    latency_histogram renewal_time{}; ///< from the sending of a renewal to its verdict, whatever it was

    std::size_t held = 0;     ///< leases held now
    std::size_t waiting = 0;  ///< acquires under way now
    std::size_t inflight = 0; ///< rounds on the wire now
    std::size_t queued = 0;   ///< rounds waiting for a place on the wire
    /// Rounds that may be on the wire now: `config::max_inflight` at the most, less while the client does not
    /// know whether the nodes and the links to them bear so many, or they do not.
    std::size_t inflight_limit = 0;

    std::vector<node_metrics> nodes; ///< in the order of `config::nodes`

    /// What grants the locks: "redis", also of Valkey, groups and clusters; "postgresql",
    /// "postgresql-session" where locks are those of a session; "mariadb", also of MySQL; "etcd",
    /// "zookeeper", or "memory".
    std::string engine{};
};

} // namespace redlock
