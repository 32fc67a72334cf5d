#include "lease/lease_upkeep.hpp"

#include "core/mistake.hpp"
#include "engines/redis/dialect/server_error.hpp"
#include "lease/held_lease.hpp"

#include <redlock/observer.hpp>

#include <algorithm>
#include <utility>

namespace redlock::lock {

lease_upkeep::lease_upkeep(held_lease& of, const lock_terms& terms, const core::lease_state& state,
                           time::instant keys_end, local_turn turn) noexcept
    : lease_(of),
      runtime_(*of.owner()),
      turn_(std::move(turn)),
      state_(state),
      lock_delay_(terms.lock_delay),
      stop_margin_(terms.stop_margin),
      life_(terms.life),
      keys_end_(keys_end),
      held_since_(runtime_.now()) {}

void lease_upkeep::start() {
    runtime_.leases().push_back(*this);
    ++runtime_.counts().held;
    rearm();
}

void lease_upkeep::rearm() {
    runtime_.timers().arm(renewal_timer(), state_.next_renewal(runtime_.random()));
    runtime_.timers().arm(loss_timer(), state_.stop_at());
}

void lease_upkeep::stay_alive() { self_ = &lease_; }

void lease_upkeep::timer_expired(to_renew) noexcept {
    due_again_ = renewal_ != nullptr && !planted(core::mistake::due_renewal_dropped);
    begin_renewal();
}

void lease_upkeep::begin_renewal() {
    if (renewal_) return;
    renewal_timer().disarm();
    stay_alive();
    renewal_listener& listener = *this;
    renewal_.reset(new renewal(runtime_, listener, extenders_));
    change_ttl_as_wanted(renewal_->waiters());
    const time::instant now = runtime_.now();
    state_.sending(now);
    lease_.publish(state_.valid_until());
    keys_end_ = std::max(keys_end_, core::saturating_add(now, core::saturating_nanoseconds(life_)));
    renewal_->start(*lease_.its_claim(), life_, lease_.fencing_token());
}

void lease_upkeep::renewal_decided() noexcept {
    const errc outcome = outcome_of(renewal_->round());
    answer(renewal_->waiters(), code_of(outcome));
    if (unlocking_)
        begin_release();
    else if (state_.phase() == core::lease_phase::held)
        rearm();
}

void lease_upkeep::change_ttl_as_wanted(const lease_waiters& extenders) noexcept {
    if (extenders.empty()) return;
    const std::chrono::milliseconds ttl = extenders.back().wanted_ttl;
    life_ = ttl + lock_delay_;
    state_.change_ttl(core::saturating_nanoseconds(ttl), stop_margin_of(ttl, stop_margin_));
}

errc lease_upkeep::outcome_of(const renew_round& round) noexcept {
    runtime_.counts().renewal_time.record(runtime_.now() - round.sent_at());
    if (state_.phase() != core::lease_phase::held)
        return runtime_.closing() ? errc::closed : errc::lease_lost;
    switch (round.verdict()) {
    case core::verdict::granted:
        ++runtime_.counts().renewals;
        state_.confirmed(round.sent_at());
        lease_.publish(state_.valid_until());
        if (observer* o = runtime_.observer()) o->renewed(lease_.key(), lease_.remaining());
        return errc{};
    case core::verdict::refused:
        lose(loss::majority);
        return errc::lease_lost;
    default:
        ++runtime_.counts().failed_renewals;
        state_.inconclusive(runtime_.now());
        return round.failure();
    }
}

void lease_upkeep::renewal_settled() noexcept {
    renewal_.reset();
    const bool wanted = std::exchange(due_again_, false) || !extenders_.empty();
    if (wanted && state_.phase() == core::lease_phase::held && !unlocking_) return begin_renewal();
    may_end();
}

void lease_upkeep::lose(loss cause) noexcept {
    if (state_.phase() != core::lease_phase::held) return;
    counters& counts = runtime_.counts();
    counts.lost_by_deadline += cause == loss::deadline;
    counts.lost_by_majority += cause == loss::majority;
    end_hold();
    state_.lose();
    if (cause != loss::closing) lease_.note_loss();
    renewal_timer().disarm();
    loss_timer().disarm();
    // Past the deadline the keys stay until they run out or the holder unlocks: it has its margin left to
    // stop in, and nobody else may come in meanwhile. Without a majority there is nothing left to protect.
    const core::nanoseconds left = lease_.remaining();
    // One that was let go has nobody left to stop.
    if (cause == loss::deadline && !lease_.is_disowned()) counts.stop_margin.record(left);
    if (cause != loss::deadline) lease_.end_validity();
    lease_.request_stop();
    if (observer* o = runtime_.observer())
        o->lost(lease_.key(), cause == loss::deadline ? left : core::nanoseconds::zero());
    answer(loss_waiters_, code_of(cause == loss::closing ? errc::closed : errc{}));
    answer(extenders_, code_of(cause == loss::closing ? errc::closed : errc::lease_lost));
    if (cause == loss::majority) give_back();
    turn_.end(runtime_.now());
}

core::nanoseconds lease_upkeep::end_hold() noexcept {
    counters& counts = runtime_.counts();
    const core::nanoseconds held = runtime_.now() - held_since_;
    --counts.held;
    counts.hold_time.record(held);
    return held;
}

} // namespace redlock::lock
