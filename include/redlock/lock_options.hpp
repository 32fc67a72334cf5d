#pragma once

#include <redlock/config.hpp>
#include <redlock/detail/language.hpp>

#include <chrono>
#include <stop_token>
#include <type_traits>

namespace redlock {

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
};

// g++ 12 destroys a braced aggregate inside a co_await expression twice; nothing happens twice when there is
// nothing to destroy.
static_assert(std::is_trivially_destructible_v<lock_options>);

} // namespace redlock
