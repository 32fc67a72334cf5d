#pragma once

#include "sim/lock_kind.hpp"
#include "sim/network.hpp"
#include "sim/server.hpp"
#include "sim/strike.hpp"

#include <redlock/config.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace redlock::sim {

using std::chrono::milliseconds;

/// How often something goes wrong, and for how long it stays so at the most. 0 is never.
struct fault {
    double per_second = 0;
    nanoseconds longest{0};
};

/// What one run is like. All of it follows from the seed.
struct weather {
    explicit weather(std::uint64_t seed);

    std::vector<server_build> servers;
    unsigned clients;
    unsigned users; ///< of each client, who call it at once
    unsigned keys;
    nanoseconds length; ///< of the time in which things go wrong

    redlock::config config;      ///< of every client, but for the nodes and how it is woken
    std::vector<wakeup> wakeups; ///< of one client after the other
    milliseconds shortest_ttl;
    milliseconds longest_ttl;
    nanoseconds longest_hold;
    double holds_long = 0;     ///< probability of each to be held for about its ttl or more
    nanoseconds longest_pause; ///< between two locks of a user
    double renews;             ///< probability of each
    double waits;
    double cancels;
    double delays_lock;
    double fences;
    nanoseconds time_of_day; ///< by how much those of two machines differ at the most

    std::vector<lock_kind> kinds; ///< of locks, besides that of a key for one holder
    double other_kinds = 0;       ///< probability of each lock to be of one of those
    unsigned permits = 2;
    double reads = 0.5; ///< of those who read and write

    network_weather network;
    std::int64_t drift; ///< of any clock against true time, in parts per million
    bool clocks_are_bounded = true;
    bool data_is_kept = true;
    bool guard_is_broken = false; ///< which the checker is not told of

    double lasting_cuts; ///< probability for each client that it never gets to some server
    fault resets;
    fault cuts;
    fault one_way_cuts;
    fault server_stops;
    fault server_crashes;
    fault client_stops;
    fault client_deaths;
    fault client_ends; ///< closed, and started anew
    fault suspends;    ///< a client's clock goes on while the client does not
    fault server_jumps;
    bool groups = false;       ///< each server is the master of a group behind Sentinels
    bool clusters = false;     ///< each server has the slots of a cluster
    nanoseconds longest_lag{}; ///< of its replica
    fault fail_overs;
    fault seizures;  ///< of slots, which are given to somebody else by force
    fault blindness; ///< of clients for Sentinels, or for all masters of a cluster but one
    sim::strikes strikes;

    /// Whether two leases may never be valid at once.
    bool promises_exclusion() const noexcept {
        return clocks_are_bounded && !strikes.has(deed::remove) &&
               (data_is_kept || config.restart_guard > milliseconds(0) || guard_is_broken);
    }
    bool has(lock_kind k) const noexcept;
    /// No node waits behind a restart without its data, though it would have to: an assumption that does not
    /// hold, under which leases must be seen to overlap. Nothing where no data is lost.
    void break_guard();
    /// Each server has the slots of a cluster whose masters are replaced, and robbed of slots, all the time,
    /// while most clients see one of them alone.
    void replace_masters();
    /// Likewise each server is the master of a group behind Sentinels.
    void replace_masters_of_groups();
    /// Few processes of many users each, who hand some keys on among themselves all the time, each with a new
    /// fencing token, and hold them for so short a time that what once fell together stays together.
    void hand_on_together();
    /// Several clients that want one key all the time and hear when they are handed it, but stop again and
    /// again for about the life of a key.
    void stop_those_who_wait();
    /// Whether it can be told how late a waiter may be at most.
    bool promises_wakeup() const noexcept;
    /// Within which a piece arrives, if nothing is disturbed.
    nanoseconds slowest_delivery() const noexcept;

    std::string description() const;

private:
    void replace_all_the_time();
    void draw_order(std::uint64_t seed);
    void draw_groups(std::uint64_t seed);
    void draw_clusters(std::uint64_t seed);
    void draw_replacements(dice& d);
    void draw_kinds(std::uint64_t seed);
    void draw_strikes(std::uint64_t seed);
    void draw_strikes_at_tokens(dice& d);
};

} // namespace redlock::sim
