#pragma once

#include <redlock/config.hpp>
#include <redlock/detail/language.hpp>
#include <redlock/owner.hpp>

#include <chrono>
#include <cstdint>
#include <stop_token>
#include <type_traits>

namespace redlock {

/// Whom a lock keeps out.
enum class mode : std::uint8_t {
    exclusive, ///< everybody, but for those who read: as if there were no reading and writing
    read,      ///< those who write
    write      ///< everybody
};

/// How one lock is taken and kept. All durations are milliseconds.
struct lock_options {
    /// Life of the key on every node: up to 2^53 ms together with `lock_delay`, and longer than the drift
    /// allowance and `stop_margin` together (so at least 3 ms by default). What a crashed holder costs
    /// others.
    std::chrono::milliseconds ttl{10'000};

    /// How long to wait while somebody else holds the key: `forever`, or 0 for one attempt. Never negative.
    std::chrono::milliseconds wait{forever};

    /// Keep the lease alive until it is unlocked.
    bool renew = true;

    /// Stop renewing this long after the grant; the lease then runs out. Positive, or `forever`.
    std::chrono::milliseconds max_hold{forever};

    /// Request stop while this much validity is left; −1 means ttl / 10. Smaller than half of ttl.
    std::chrono::milliseconds stop_margin{-1};

    /// After an unclean end nobody else gets the key until ttl + this has passed. An unlock frees it at once.
    std::chrono::milliseconds lock_delay{0};

    /// Hand out a fencing token: a number that is higher than that of every earlier grant of the key with
    /// fencing, for the resource to compare. Costs one or two more commands for each node of a majority, and
    /// a second round trip where others contend for the key or gave out higher tokens. Needs Redis 6.0; 6.2
    /// to be cheap.
    bool fencing = false;

    /// Stop is requested here when the lease is lost; may be null. The stop source is copied at the call. Its
    /// callbacks run on the client's strand: they must not block.
    const std::stop_source* stop = nullptr;

    /// A lock for reading is shared by all who read, one for writing is held alone. Whoever wants to write
    /// keeps new readers out while he waits for those that are there, and of several writers each hands over
    /// to the next; readers get their chance behind 100 ms of writers, or `config::handoff_limit` of them. A
    /// reader that crashes costs a writer its ttl. All who use the key read or write: `exclusive` knows
    /// nothing of readers. There is no way from reading to writing but to unlock. Needs scripts; an engine
    /// without it gives `errc::unsupported`. With one permit.
    redlock::mode mode = redlock::mode::exclusive;

    /// So many may hold the key at once, 1 to 64: a semaphore. The permits are locks of their own, with the
    /// keys "KEY:0", "KEY:1" and so on, each with fencing tokens of its own; `lease::slot` says which one was
    /// granted. All who use the key give the same number: where they differ, each sees the permits that it
    /// knows of, and the larger number may be held at once. 1 is a lock like any other, with the key itself:
    /// it and the permits of larger numbers keep nobody out of each other.
    unsigned permits = 1;

    /// Who takes the lock, so that he may take it again while he holds it; may be null. Another call of the
    /// same owner on the same client gives another lease of the same grant, without a word to the nodes: with
    /// its fencing token, validity and end; a longer ttl extends it, and its other options count as they were
    /// at first. A call that asks for what the grant has not completes with `errc::invalid_option`: for a
    /// fencing token, or to write where the first did not. The key is given back with the last of the leases,
    /// in any order. Once the grant is lost another call completes with `errc::lease_lost` until all its
    /// leases were unlocked or destroyed: the lock is never taken anew behind the back of who believes to
    /// hold it. Copied at the call. With one permit, not to read, and not for several keys.
    const redlock::owner* owner = nullptr;

    /// An unlock, or the end of the lease object, leaves the key until so long after the grant, when that is
    /// later: nobody gets it before, so that a short job runs once in that time on hosts whose clocks differ.
    /// Up to 2^53 ms. Ends with the lease when that is lost, and with an `async_close` before the unlock.
    std::chrono::milliseconds keep{0};
};

// g++ 12 destroys a braced aggregate inside a co_await expression twice; nothing happens twice when there is
// nothing to destroy.
static_assert(std::is_trivially_destructible_v<lock_options>);

} // namespace redlock
