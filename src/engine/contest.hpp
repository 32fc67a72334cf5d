#pragma once

#include "core/instant.hpp"
#include "engine/claim.hpp"
#include "engine/failure.hpp"

#include <redlock/error.hpp>

#include <chrono>
#include <cstdint>

namespace redlock::engine {

/// What a caller wants of an engine.
struct wish {
    claim_pointer claim;
    core::instant claimed_at;       ///< when that was made
    std::chrono::milliseconds life; ///< that the key is to have
    core::nanoseconds ttl;          ///< of the lease that it is for
    bool renews; ///< the lease is renewed while it is held: the key may have a shorter life at first
    bool fencing;
    bool waits;               ///< for whoever has the key; otherwise it is one attempt
    core::instant wait_until; ///< no longer than this
    core::instant not_before; ///< others are to have a chance first
};

/// A key is the caller's.
struct grant {
    claim_pointer claim;         ///< not always that of the wish: each try has one of its own
    core::instant sent_at;       ///< the engine was asked: the life of the key began no earlier
    core::nanoseconds ttl;       ///< that it lives for, as in the wish, or shorter at first
    std::uint64_t fencing_token; ///< 0 without fencing
    bool had_to_wait;            ///< for whoever had the key before
};

/// Told how a contest goes. At the end of a turn, or from inside `contest::start`.
class contest_listener {
public:
    /// Somebody else has the key, and it is waited for. Not for the first time, perhaps.
    virtual void others_have_it(const claim& wanted) noexcept = 0;
    /// False when it comes too late to be of use: it is given back, and the contest goes on. Otherwise it is
    /// over.
    virtual bool takes(grant&& given) noexcept = 0;
    /// The contest is over, and nothing was taken, or all of it is being given back. 0 stands for "cancelled
    /// by the caller", `held` for a key that is somebody else's. `more` may be null.
    virtual void not_granted(errc why, const failure* more) noexcept = 0;
    /// The last call, after one of the two: the contest is gone.
    virtual void contest_over() noexcept = 0;

protected:
    ~contest_listener() = default;
};

/// An attempt to have a key, until it was granted, refused or cancelled. Belongs to the engine.
class contest {
public:
    /// May come to its end at once: the last statement of whoever calls it.
    virtual void start() = 0;
    /// It comes to its end soon, with `not_granted(why)` unless that has been said already.
    virtual void cancel(errc why) noexcept = 0;

protected:
    ~contest() = default;
};

/// Told how it goes with those who read a key that is ours for writing. At the end of a turn; the last call
/// is one of the two.
class drain_listener {
public:
    /// Somebody reads, and is waited for. Not for the first time, perhaps.
    virtual void others_read() noexcept = 0;
    /// None is left, and none comes: a majority said so when it was asked at `sent_at`, and the key lives
    /// from then on.
    virtual void drained(core::instant sent_at) noexcept = 0;
    /// 0 stands for "cancelled", `held` for readers that are there still, or a key that is somebody else's by
    /// now, `lease_lost` for one that was taken away. It is to be released in any case.
    virtual void not_drained(errc why, const failure* more) noexcept = 0;

protected:
    ~drain_listener() = default;
};

} // namespace redlock::engine
