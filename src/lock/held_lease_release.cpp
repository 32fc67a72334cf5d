// How a lease ends: unlocked, let go, or closed with its client.

#include "core/mistake.hpp"
#include "lock/held_lease.hpp"
#include "lock/listener_count.hpp"
#include "lock/server_error.hpp"

#include <redlock/observer.hpp>

#include <boost/asio/error.hpp>

#include <utility>

namespace redlock::lock {

void held_lease::let_go() noexcept {
    if (disowned_.load(std::memory_order_relaxed)) return; // by an unlock
    disown();
    in_inbox_ = shared_from_this();
    runtime_->calls().push(*this);
}

void held_lease::arrive() noexcept {
    const auto alive = std::move(in_inbox_);
    if (!unlocking_) begin_unlock();
}

void held_lease::unlock(lease_waiter& w) {
    if (unlocking_)
        return w.lease_answered(make_error_code(runtime_->closing() ? errc::closed : errc::lease_lost));
    unlockers_.push_back(w);
    begin_unlock();
}

void held_lease::extend(lease_waiter& w) {
    if (unlocking_ || state_.phase() != core::lease_phase::held)
        return w.lease_answered(make_error_code(runtime_->closing() ? errc::closed : errc::lease_lost));
    if (const errc e = check_ttl(w.wanted_ttl, lock_delay_, stop_margin_, runtime_->settings().drift);
        e != errc{})
        return w.lease_answered(make_error_code(e));
    extenders_.push_back(w);
    begin_renewal();
}

void held_lease::wait_lost(lease_waiter& w) {
    if (lost_) return w.lease_answered({});
    if (runtime_->closing()) return w.lease_answered(make_error_code(errc::closed));
    if (unlocking_) return w.lease_answered(boost::asio::error::operation_aborted);
    loss_waiters_.push_back(w);
}

void held_lease::close() noexcept {
    lose(loss::closing);
    // Its keys are given back now, also those of a lease that was lost and has some of its margin left.
    end_validity();
    if (!unlocking_) begin_unlock();
}

void held_lease::begin_unlock() {
    unlocking_ = true;
    if (!planted(core::mistake::renewal_after_unlock)) renewal_timer_.disarm();
    loss_timer_.disarm();
    answer(loss_waiters_, boost::asio::error::operation_aborted);
    answer(extenders_, make_error_code(errc::lease_lost));
    // A renewal under way comes to its verdict first, which takes no longer than a node's deadline: its
    // commands are then ahead of the release on every connection, and none follows.
    if (!renewal_ || renewal_->round().verdict() != core::verdict::open) begin_release();
}

void held_lease::begin_release() {
    if (state_.phase() == core::lease_phase::released) return;
    ++runtime_->counts().unlocks;
    if (hand_over()) return;
    if (state_.phase() == core::lease_phase::held) {
        const core::nanoseconds held = end_hold();
        if (observer* o = runtime_->observer()) o->released(key(), held);
    }
    state_.release();
    if (given_back_) {
        answer(unlockers_, make_error_code(errc::lease_lost));
        return may_die();
    }
    give_back(std::move(unlockers_));
    turn_.end(runtime_->now());
    may_die();
}

// The next caller of this process gets the keys as they are. What is left of a renewal extends them for it.
bool held_lease::hand_over() {
    if (state_.phase() != core::lease_phase::held || !turn_.others_wait()) return false;
    if (state_.stop_at() <= runtime_->clock().now()) return false;
    if (turn_.asks_for_others(runtime_->now())) listener_count::start(*runtime_, claim_);
    if (!turn_.hand_over({.of = claim_,
                          .state = state_,
                          .life = life_,
                          .keys_end = keys_end_,
                          .fencing_token = fencing_token_},
                         runtime_->now()))
        return false;
    ++runtime_->counts().handoffs;
    const core::nanoseconds held = end_hold();
    if (observer* o = runtime_->observer()) o->handed_over(key(), held);
    state_.release();
    given_back_ = true;
    answer(unlockers_, success);
    may_die();
    return true;
}

void held_lease::give_back(lease_waiters&& unlockers) {
    given_back_ = true;
    release::start(*runtime_, claim_, release::all_nodes,
                   core::saturating_add(keys_end_, runtime_->settings().node_timeout), std::move(unlockers),
                   lost_);
}

// In the list for as long as it keeps itself alive: the runtime ends what it finds there.
void held_lease::may_die() noexcept {
    if (renewal_) return;
    if (planted(core::mistake::renewal_after_unlock) && renewal_timer_.armed()) return stay_alive();
    if (state_.phase() == core::lease_phase::released) unlink();
    self_.reset();
}

void held_lease::abandon() noexcept {
    renewal_.reset();
    unlink();
    self_.reset();
}

} // namespace redlock::lock
