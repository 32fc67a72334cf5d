#pragma once

#include "core/instant.hpp"
#include "engine/failure.hpp"

#include <redlock/error.hpp>

#include <cstdint>
#include <memory>

namespace redlock::engine {

/// What became of a question that was put to the engine on behalf of a lease.
enum class outcome : std::uint8_t {
    confirmed,    ///< the key is ours
    gone,         ///< it is definitely not ours any more
    inconclusive, ///< too few answered to tell
};

/// Something that was asked for and need not be waited for: letting go of it leaves the engine to take in
/// what is still to come.
class errand {
public:
    /// Nobody waits for it any more.
    virtual void let_go() noexcept = 0;

protected:
    ~errand() = default;
};

struct release_errand {
    void operator()(errand* e) const noexcept { e->let_go(); }
};
template <class Errand = errand>
using errand_pointer = std::unique_ptr<Errand, release_errand>;

/// Told how a renewal came out, at the end of a turn. The renewal may be let go of here.
class renewal_listener {
public:
    /// `sent_at` is when the engine was asked: a confirmed key lives from then on. `why` says more of an
    /// inconclusive one, and so does `more`, as long as the renewal is there; null where there is no more to
    /// say.
    virtual void renewal_decided(outcome decided, core::instant sent_at, errc why,
                                 const failure* more) noexcept = 0;

protected:
    ~renewal_listener() = default;
};

/// Told of a new fencing token for a key that is ours, at the end of a turn.
class token_listener {
public:
    virtual void token_decided(outcome decided, std::uint64_t fencing_token, errc why,
                               const failure* more) noexcept = 0;

protected:
    ~token_listener() = default;
};

/// Told whether what a leader proclaims stands beside his key, at the end of a turn.
class proclamation_listener {
public:
    /// Confirmed: on a majority, where the key is ours. Of an inconclusive one `why` says more.
    virtual void proclaimed(outcome decided, errc why, const failure* more) noexcept = 0;

protected:
    ~proclamation_listener() = default;
};

} // namespace redlock::engine
