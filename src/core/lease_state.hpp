#pragma once

#include "core/instant.hpp"
#include "core/random.hpp"
#include "core/validity.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace redlock::core {

/// What a lease was asked to be.
struct lease_terms {
    nanoseconds ttl;
    nanoseconds stop_margin;
    drift_allowance drift;
    nanoseconds max_hold = nanoseconds::max();
    bool renew = true;
};

enum class lease_phase : std::uint8_t { held, lost, released };

/// The life of one lease: how long it is valid, when to renew it, when to stop trusting it. It takes the time
/// from outside. held → lost | released, lost → released; nothing leads back.
class lease_state {
public:
    /// `sent` is the send time of the oldest of the votes that made the majority; `now` that of the grant.
    lease_state(const lease_terms& terms, instant sent, instant now) noexcept
        : lease_state(terms, sent, now, terms.ttl) {}
    /// Likewise, but the keys live for `first_ttl` only, until the first renewal, which comes soon.
    lease_state(const lease_terms& terms, instant sent, instant now, nanoseconds first_ttl) noexcept;

    /// The same keys in other hands: what was confirmed counts, under the terms of whom they go to.
    lease_state handed_to(const lease_terms& terms, instant now) const noexcept;

    lease_phase phase() const noexcept { return phase_; }
    nanoseconds ttl() const noexcept { return ttl_; }

    /// End of the validity. Only a confirmed round moves it forward; only a shorter ttl moves it back.
    instant valid_until() const noexcept { return valid_until_; }

    /// When stop must be requested unless the lease is renewed before. Of a life that is short at first, the
    /// margin is half at most.
    instant stop_at() const noexcept {
        const nanoseconds margin =
            is_short_ ? std::min(stop_margin_, (valid_until_ - confirmed_at_) / 2) : stop_margin_;
        return saturating_add(valid_until_, -margin);
    }

    /// When to begin the next renewal round: ttl / 3 after the last confirmed one, ±10 %, so that thousands
    /// of leases taken together do not renew together; after a failed round soon again. Of a life that is
    /// short at first: 10 ms after the grant, or a third of that life after the sending, and before max_hold
    /// is over. `instant::max()` when no renewal is due any more: without `renew`, when max_hold is over, or
    /// when the lease is not held.
    ///
    /// Those that are due within a 192nd of a ttl of each other fall on one instant, so that leases with this
    /// ttl share a command; `phase` moves these instants, which clients are not to have in common.
    instant next_renewal(random& r, nanoseconds phase = nanoseconds::zero()) noexcept;

    /// A renewal round is about to be sent. Nodes may act on it although no reply comes: a ttl that was made
    /// shorter therefore ends the validity earlier from now on.
    void sending(instant now) noexcept;

    /// A majority confirmed the extension that was sent at `sent` with the life `ttl()` had then.
    void confirmed(instant sent) noexcept;

    /// A round that was over at `now` neither confirmed nor refuted the lease.
    void inconclusive(instant now) noexcept;

    /// Asks for another life from the next round on; `stop_margin` comes with it.
    void change_ttl(nanoseconds ttl, nanoseconds stop_margin) noexcept;

    void lose() noexcept;
    void release() noexcept { phase_ = lease_phase::released; }

private:
    using brief = std::chrono::duration<std::uint32_t, std::micro>;

    nanoseconds ttl_;
    nanoseconds stop_margin_;
    drift_allowance drift_;
    instant confirmed_at_; ///< send time of the last confirmed round
    instant valid_until_;
    instant hold_until_;
    instant failed_at_ =
        instant::min();     ///< end of the last inconclusive round since; min when there was none
    brief first_renewal_{}; ///< of a life that is short at first: so long after `confirmed_at_`
    bool is_short_;         ///< the keys have not got their whole ttl yet
    bool renew_;
    std::uint8_t retries_ = 0; ///< drawn since the last confirmed round, as far as they count
    lease_phase phase_ = lease_phase::held;
};

} // namespace redlock::core
