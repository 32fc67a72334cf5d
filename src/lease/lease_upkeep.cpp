#include "lease/lease_upkeep.hpp"

#include "core/mistake.hpp"
#include "lease/held_lease.hpp"
#include "turn/outcome.hpp"

#include <redlock/observer.hpp>

#include <algorithm>
#include <utility>

namespace redlock::lock {

// Of every lease.
static_assert(sizeof(lease_upkeep) <= 4 * detail::block_alignment);

lease_upkeep::lease_upkeep(held_lease& of, const lock_terms& terms, const core::lease_state& state,
                           time::instant keys_end, local_turn turn) noexcept
    : lease_(of),
      turn_(std::move(turn)),
      state_(state),
      lock_delay_(terms.lock_delay),
      stop_margin_(terms.stop_margin),
      life_(terms.life),
      keys_end_(keys_end) {}

lessee& lease_upkeep::owner() const noexcept { return *lease_.owner(); }

waiting_callers& lease_upkeep::waiting() {
    if (!waiting_) waiting_.reset(new waiting_callers);
    return *waiting_;
}

void lease_upkeep::start() {
    owner().leases().push_back(*this);
    ++owner().counts().of(*lease_.claim()).held;
    rearm();
}

void lease_upkeep::rearm() {
    owner().turns().timers().arm(renewal_timer(),
                                 state_.next_renewal(owner().turns().random(), owner().renewal_phase()));
    owner().turns().timers().arm(loss_timer(), state_.stop_at());
}

// One owner more is counted, of whom there is no pointer.
void lease_upkeep::stay_alive() noexcept {
    if (!std::exchange(stays_, true)) detail::lease_pointer(&lease_).detach();
}

detail::lease_pointer lease_upkeep::stay_no_longer() noexcept {
    return std::exchange(stays_, false) ? detail::lease_pointer(&lease_, false) : nullptr;
}

bool lease_upkeep::is_over() const noexcept {
    return state_.phase() != core::lease_phase::held || state_.stop_at() <= owner().clock().now();
}

void lease_upkeep::begin_renewal() {
    if (renewal_) return;
    renewal_timer().disarm();
    stay_alive();
    if (waiting_) {
        waiting_->being_extended.swap(waiting_->extenders);
        change_ttl_as_wanted(waiting_->being_extended);
    }
    const time::instant now = owner().now();
    state_.sending(now);
    lease_.publish(state_.valid_until());
    keys_end_ = std::max(keys_end_, core::saturating_add(now, core::saturating_nanoseconds(life_)));
    renewal_ = owner().engine().renew(lease_.claim(), life_, lease_.fencing_token(), *this);
}

void lease_upkeep::renewal_decided(engine::outcome decided, time::instant sent_at, errc why,
                                   const engine::failure* more) noexcept {
    const auto until_told = std::move(renewal_);
    const auto alive = stay_no_longer();
    if (keeping_) return keeping_decided(decided, why, more);
    if (is_downgrading()) return downgrade_decided(decided, sent_at, why, more);
    const errc result = outcome_of(decided, sent_at, why);
    if (waiting_ && more && decided == engine::outcome::inconclusive)
        turn::answer_all(waiting_->being_extended, turn::code_of(result), *more);
    else if (waiting_)
        turn::answer(waiting_->being_extended, turn::code_of(result));
    go_on();
}

// Behind the verdict on whatever the engine was asked.
void lease_upkeep::go_on() noexcept {
    if (unlocking_) return begin_release();
    if (state_.phase() != core::lease_phase::held) return may_end();
    rearm();
    if (begins_downgrade()) return;
    if (waiting_ && !waiting_->extenders.empty()) begin_renewal();
}

void lease_upkeep::change_ttl_as_wanted(const lease_waiters& extenders) noexcept {
    if (extenders.empty()) return;
    const std::chrono::milliseconds ttl = extenders.back().wanted_ttl;
    life_ = ttl + lock_delay_;
    state_.change_ttl(core::saturating_nanoseconds(ttl), stop_margin_of(ttl, stop_margin_));
}

errc lease_upkeep::outcome_of(engine::outcome decided, time::instant sent_at, errc why) noexcept {
    owner().counts().renewal_time.record(owner().now() - sent_at);
    if (state_.phase() != core::lease_phase::held) return owner().closing() ? errc::closed : errc::lease_lost;
    switch (decided) {
    case engine::outcome::confirmed:
        ++owner().counts().renewals;
        state_.confirmed(sent_at);
        lease_.publish(state_.valid_until());
        if (observer* o = owner().observer()) o->renewed(lease_.key(), lease_.remaining());
        return errc{};
    case engine::outcome::gone:
        lose(loss::majority);
        return errc::lease_lost;
    default:
        ++owner().counts().failed_renewals;
        state_.inconclusive(owner().now());
        return why;
    }
}

void lease_upkeep::lose(loss cause) noexcept {
    if (state_.phase() != core::lease_phase::held) return;
    counters& counts = owner().counts();
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
    if (observer* o = owner().observer())
        o->lost(lease_.key(), cause == loss::deadline ? left : core::nanoseconds::zero());
    answer_waiting(turn::code_of(cause == loss::closing ? errc::closed : errc{}),
                   turn::code_of(cause == loss::closing ? errc::closed : errc::lease_lost));
    answer_downgrade(turn::code_of(cause == loss::closing ? errc::closed : errc::lease_lost));
    if (cause == loss::majority) give_back();
    turn_.end(owner().now());
}

void lease_upkeep::answer_waiting(const boost::system::error_code& for_loss,
                                  const boost::system::error_code& for_more_time) noexcept {
    if (!waiting_) return;
    turn::answer(waiting_->loss, for_loss);
    turn::answer(waiting_->extenders, for_more_time);
}

core::nanoseconds lease_upkeep::end_hold() noexcept {
    counters& counts = owner().counts();
    const core::nanoseconds held = owner().now() - lease_.held_since_;
    --counts.of(*lease_.claim()).held;
    if (!lease_.is_given_up()) counts.hold_time.record(held);
    return held;
}

} // namespace redlock::lock
