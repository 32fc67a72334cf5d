// How a caller waits behind others of its own process, and takes a lease over from one of them.

#include "lease/acquire/acquire_waiting.hpp"
#include "lease/held_lease.hpp"

#include <algorithm>

namespace redlock::lock {

turn::routine acquire::await_turn() {
    begin_to_wait(claim_->key());
    waiting& waits_now = waits();
    lessee_->queues().queue_up(waits_now, claim_->full_key);
    lessee_->turns().timers().arm(waits_now, wait_until_);
    const unsigned events = co_await any_of(has_turn | time_passed | ends);
    waits_now.disarm();
    waits_now.leave_local_queue();
    if ((events & has_turn) != 0 && (events & ends) == 0) co_return;
    if ((events & has_turn) != 0) pass_on();
    finish(events & ends ? reason_of(events) : errc::wait_timeout);
}

// Only on the terms it was taken on, and with most of its life ahead: otherwise the engine is asked first.
bool acquire::suits_as_it_is() const noexcept {
    if (taken().lease.life != terms_.life || taken().lease.state.ttl() != terms_.lease.ttl) return false;
    const core::nanoseconds ttl = terms_.lease.ttl;
    const core::nanoseconds left = taken().lease.state.valid_until() - lessee_->clock().now();
    return left >= (terms_.lease.renew ? ttl / 2 : ttl - ttl / 10);
}

bool acquire::take_lease_as_it_is() {
    if (!suits_as_it_is()) return false;
    handover& handed = taken().lease;
    const core::lease_state state = handed.state.handed_to(terms_.lease, lessee_->clock().now());
    grant(std::move(handed.of), state, handed.keys_end, 0);
    return true;
}

// With fencing every grant needs a token of its own, and asks the engine for that.
turn::routine acquire::confirm_lease() {
    takeover& from = taken();
    const bool as_it_is = suits_as_it_is();
    unsigned events = 0;
    if (terms_.fencing) from.advance_token();
    if (as_it_is) {
        from.confirmed = engine::outcome::confirmed;
    } else {
        from.lease.keys_end =
            std::max(from.lease.keys_end,
                     core::saturating_add(lessee_->now(), core::saturating_nanoseconds(terms_.life)));
        from.confirm(terms_.life);
        events = co_await any_of(lease_decided | ends);
    }
    if (terms_.fencing && !(events & ends)) events |= co_await any_of(token_decided | ends);
    settle_confirmation(events, as_it_is);
}

void acquire::settle_confirmation(unsigned events, bool as_it_is) {
    takeover& from = taken();
    if ((events & ends) == 0 && from.is_ours()) {
        const time::instant now = lessee_->clock().now();
        const core::lease_state state = as_it_is ? from.lease.state.handed_to(terms_.lease, now)
                                                 : core::lease_state(terms_.lease, from.confirmed_from, now);
        if (state.stop_at() > now)
            return grant(std::move(from.lease.of), state, from.lease.keys_end, from.fencing_token);
        ++lessee_->counts().late_grants;
        came_too_late_ = true;
    }
    release_handed();
    if (events & ends) return finish(reason_of(events));
    // Gone: it is to be had anew.
    if (from.is_gone()) return turn_.lost();
    finish(from.is_ours() ? errc::no_quorum : from.doubt(), from.more());
}

void acquire::pass_on() noexcept {
    if (!has_lease()) return;
    if (lessee_->hand_over(turn_, taken().lease))
        taken().lease.of.reset();
    else
        release_handed();
}

void acquire::release_handed() {
    lessee_->engine().release(std::move(taken().lease.of), taken().lease.keys_end);
}

} // namespace redlock::lock
