#pragma once

#include "core/backoff.hpp"
#include "core/random.hpp"
#include "node/node.hpp"
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
        drop     ///< the suspect connection stayed silent for too long
    };

    explicit node_health(const health_limits& limits) noexcept
        : limits_(limits), backoff_(limits.backoff_floor, limits.backoff_ceiling) {}

    health state() const noexcept { return state_; }
    const health_limits& limits() const noexcept { return limits_; }

    // What happened.

    /// An attempt to connect began.
    void attempt_started(time::instant now) noexcept;
    /// The handshake is complete.
    void connected(time::instant now) noexcept;
    /// Bytes came after the handshake: the connection has proved itself, so the backoff starts afresh next
    /// time. True when that ends a suspicion.
    bool heard(time::instant now) noexcept;
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
    phase phase_ = phase::idle;
    core::backoff backoff_;
    time::instant mark_;     ///< end of the attempt or of the backoff; or when the suspicion arose
    time::instant heard_at_; ///< last sign of life
};

} // namespace redlock::node
