// How a lease ends: unlocked, let go, or closed with its client.

#include "core/mistake.hpp"
#include "lease/held_lease.hpp"
#include "lease/lease_upkeep.hpp"
#include "turn/outcome.hpp"

#include <redlock/observer.hpp>

#include <boost/asio/error.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace redlock::lock {

void lease_upkeep::let_go() noexcept {
    if (!unlocking_) begin_unlock();
}

void lease_upkeep::unlock(lease_waiter& w) {
    if (unlocking_) return w.answered(make_error_code(lease_.why_over()));
    unlockers_.push_back(w);
    begin_unlock();
}

void lease_upkeep::extend(lease_waiter& w) {
    if (unlocking_ || state_.phase() != core::lease_phase::held)
        return w.answered(make_error_code(lease_.why_over()));
    if (const errc e = check_ttl(w.wanted_ttl, lock_delay_, stop_margin_, owner().settings().drift);
        e != errc{}) {
        w.hears_of_wrong_ttl(lock_delay_, stop_margin_);
        return w.answered(make_error_code(e));
    }
    waiting().extenders.push_back(w);
    begin_renewal();
}

void lease_upkeep::wait_lost(lease_waiter& w) {
    if (unlocking_) return w.answered(boost::asio::error::operation_aborted);
    waiting().loss.push_back(w);
}

void lease_upkeep::close() noexcept {
    if (keeping_ && renewal_timer().armed()) {
        renewal_timer().disarm();
        return may_end();
    }
    // Of one that was unlocked in time the renewal under way comes to its verdict, and then the key stays.
    if (unlocking_ && keeps_key()) return;
    lose(loss::closing);
    // Its keys are given back now, also those of a lease that was lost and has some of its margin left.
    lease_.end_validity();
    if (!unlocking_) begin_unlock();
}

void lease_upkeep::begin_unlock() {
    unlocking_ = true;
    if (!planted(core::mistake::renewal_after_unlock)) renewal_timer().disarm();
    loss_timer().disarm();
    answer_waiting(boost::asio::error::operation_aborted, make_error_code(errc::lease_lost));
    answer_downgrade(make_error_code(errc::lease_lost));
    // A renewal under way comes to its verdict first: what it sent is then ahead of the release, and nothing
    // of it follows.
    if (!renewal_) begin_release();
}

void lease_upkeep::begin_release() {
    if (state_.phase() == core::lease_phase::released) return;
    owner().counts().unlocks += !lease_.is_given_up();
    if (keeps_key()) return begin_keeping();
    if (hand_over()) return;
    if (state_.phase() == core::lease_phase::held) {
        const core::nanoseconds held = end_hold();
        if (observer* o = owner().observer(); o && !lease_.is_given_up()) o->released(lease_.key(), held);
    }
    state_.release();
    if (given_back_) {
        turn::answer(unlockers_, make_error_code(errc::lease_lost));
        return may_end();
    }
    give_back(std::move(unlockers_));
    turn_.end(owner().now());
    may_end();
}

// The next caller of this process gets the keys as they are. What is left of a renewal extends them for it.
bool lease_upkeep::hand_over() {
    if (state_.phase() != core::lease_phase::held || !turn_.others_wait()) return false;
    if (state_.stop_at() <= owner().clock().now()) return false;
    if (!owner().hand_over(turn_, {.of = lease_.claim(),
                                   .state = state_,
                                   .life = life_,
                                   .keys_end = keys_end_,
                                   .fencing_token = lease_.fencing_token()}))
        return false;
    ++owner().counts().handoffs;
    const core::nanoseconds held = end_hold();
    if (observer* o = owner().observer(); o && !lease_.is_given_up()) o->handed_over(lease_.key(), held);
    state_.release();
    given_back_ = true;
    turn::answer(unlockers_, turn::success);
    may_end();
    return true;
}

bool lease_upkeep::keeps_key() const noexcept {
    if (planted(core::mistake::kept_key_released)) return false;
    if (lease_.keep().count() == 0 || state_.phase() != core::lease_phase::held) return false;
    const time::instant now = owner().clock().now();
    return state_.valid_until() > now && kept_until() > now;
}

time::instant lease_upkeep::kept_until() const noexcept {
    return core::saturating_add(lease_.held_since_, core::saturating_nanoseconds(lease_.keep()));
}

// The next of this process finds the key to be somebody's, like everybody else.
void lease_upkeep::begin_keeping() {
    keeping_ = true;
    const core::nanoseconds held = end_hold();
    if (observer* o = owner().observer()) o->released(lease_.key(), held);
    state_.release();
    owner().keeps(lease_.claim(), kept_until());
    keep_key();
    turn_.end(owner().now());
}

void lease_upkeep::keep_key() {
    using std::chrono::milliseconds;
    const time::instant now = owner().now();
    const time::instant until = kept_until();
    const auto left = std::chrono::ceil<milliseconds>(std::max(until - now, core::nanoseconds(1)));
    stay_alive();
    keys_end_ = std::max(keys_end_, until);
    renewal_ = owner().engine().keep(lease_.claim(), left, lease_.fencing_token(), *this);
}

// Whoever unlocked is told at once; nodes that did not answer are asked again while the key may be there.
void lease_upkeep::keeping_decided(engine::outcome decided, errc why, const engine::failure* more) noexcept {
    const errc result = decided == engine::outcome::confirmed ? errc{}
                        : decided == engine::outcome::gone    ? errc::lease_lost
                                                              : why;
    if (more && decided == engine::outcome::inconclusive)
        turn::answer_all(unlockers_, turn::code_of(result), *more);
    else
        turn::answer(unlockers_, turn::code_of(result));
    const time::instant again = owner().now() + state_.ttl() / 10;
    if (decided != engine::outcome::inconclusive || owner().closing() || again >= state_.valid_until())
        return may_end();
    owner().turns().timers().arm(renewal_timer(), again);
    stay_alive();
}

void lease_upkeep::give_back(turn::outcome_waiters&& unlockers) {
    given_back_ = true;
    owner().engine().release(lease_.claim(), keys_end_, std::move(unlockers), lease_.is_lost());
}

// In the list for as long as it exists: the lessee ends what it finds there.
void lease_upkeep::may_end() noexcept {
    if (renewal_) return;
    if (planted(core::mistake::renewal_after_unlock) && renewal_timer().armed()) return stay_alive();
    const auto last = stay_no_longer();
    if (state_.phase() == core::lease_phase::released) lease_.has_ended();
}

void lease_upkeep::abandon() noexcept {
    const auto last = stay_no_longer();
    renewal_.reset();
    lease_.has_ended();
}

} // namespace redlock::lock
