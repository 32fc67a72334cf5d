#pragma once

#include "core/backoff.hpp"
#include "core/random.hpp"
#include "engines/redis/node/node.hpp"
#include "time/instant.hpp"

#include <chrono>
#include <cstdint>

namespace redlock::node {

/// The limits a node's health is judged by.
struct health_limits {
    std::chrono::nanoseconds connect; ///< for one attempt: name resolution, connection and handshake together
    std::chrono::nanoseconds idle_ping; ///< silence after which an idle node is asked whether it lives
    std::chrono::nanoseconds silence;   ///< how long a suspect node may stay silent on one connection
    std::chrono::nanoseconds backoff_floor;
    std::chrono::nanoseconds backoff_ceiling;
};

/// Judges one node from what happens to it, and says when to connect, to ask and to give up. It has no clock
/// and no randomness of its own. Until the first attempt has failed the node is `connecting`; from then on it
/// is `unavailable` whenever there is no connection, also during an attempt, so that nobody waits for a node
/// that is down.
class node_health {
public:
    /// What to do now.
    enum class action : std::uint8_t {
        nothing,
        connect, ///< the backoff is over
        give_up, ///< the attempt takes too long
        ask,     ///< send a PING: the connection is idle
        admit,   ///< the quarantine is over
        drop     ///< the suspect connection stayed silent for too long
    };

    explicit node_health(const health_limits& limits) noexcept
        : limits_(limits), backoff_(limits.backoff_floor, limits.backoff_ceiling) {}

    health state() const noexcept {
        return quarantined_ && state_ == health::ready ? health::quarantined : state_;
    }
    const health_limits& limits() const noexcept { return limits_; }

    // What happened.

    /// An attempt to connect began.
    void attempt_started(time::instant now) noexcept;
    /// The handshake is complete. The node is quarantined until it may vote.
    void connected(time::instant now, time::instant votes_from = time::instant::min()) noexcept;
    /// A connected node must not vote before then. True when it took requests until now.
    bool quarantine(time::instant votes_from) noexcept;
    /// The quarantine is over.
    void admitted() noexcept { quarantined_ = false; }
    /// What bytes that came after the handshake show of the requests before.
    enum class progress : std::uint8_t {
        none,     ///< they answer nothing
        answers,  ///< some, and others are overdue still
        caught_up ///< no reply is overdue
    };
    /// Bytes came after the handshake: the connection has proved itself, so the backoff starts afresh next
    /// time. True when that ends a suspicion, and the node takes requests again: what it got while it is
    /// behind would be answered too late as well, and hold up the rest.
    bool heard(time::instant now, progress) noexcept;
    /// A deadline passed. True when that makes a ready node suspect.
    bool missed_deadline(time::instant now) noexcept;
    /// The attempt failed or the connection is gone; `jitter` spreads the next attempt.
    void lost(time::instant now, core::random& jitter) noexcept;

    // What follows from it. `quiet` says that no PING is needed behind what was already sent: for a ready
    // node that no reply is awaited, for a suspect one that nothing at all is pending.

    action due(time::instant now, bool quiet) const noexcept;
    /// When to ask `due` again; `instant::max()` when only an event can change the answer.
    time::instant next_look(bool quiet) const noexcept;

private:
    enum class phase : std::uint8_t { idle, attempting, connected, backing_off };

    health_limits limits_;
    health state_ = health::connecting;
    bool quarantined_ = false;
    phase phase_ = phase::idle;
    core::backoff backoff_;
    time::instant mark_;     ///< end of the attempt or of the backoff; or when the suspicion arose
    time::instant heard_at_; ///< last sign of life
    time::instant votes_from_ = time::instant::min();
};

} // namespace redlock::node
