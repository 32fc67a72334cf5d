#include "lock/held_lease.hpp"

#include "core/mistake.hpp"
#include "lock/server_error.hpp"

#include <redlock/observer.hpp>

#include <algorithm>
#include <utility>

namespace redlock::lock {

held_lease::held_lease(std::shared_ptr<runtime> r, std::shared_ptr<const claim> c, const lock_terms& terms,
                       const core::lease_state& state, time::instant keys_end, std::stop_source stop,
                       local_turn turn, std::uint64_t fencing_token)
    : runtime_(std::move(r)),
      claim_(std::move(c)),
      fencing_token_(fencing_token),
      valid_until_(state.valid_until().time_since_epoch().count()),
      given_stop_(std::move(stop)),
      turn_(std::move(turn)),
      state_(state),
      lock_delay_(terms.lock_delay),
      stop_margin_(terms.stop_margin),
      life_(terms.life),
      keys_end_(keys_end),
      held_since_(runtime_->now()) {}

void held_lease::start() {
    runtime_->leases().push_back(*this);
    ++runtime_->counts().held;
    rearm();
}

core::nanoseconds held_lease::remaining() const noexcept {
    if (disowned_.load(std::memory_order_acquire)) return core::nanoseconds::zero();
    const core::instant end{core::nanoseconds(valid_until_.load(std::memory_order_acquire))};
    const core::instant now = runtime_->clock().now();
    return now < end ? end - now : core::nanoseconds::zero();
}

// Whoever publishes the source looks afterwards whether stop is wanted, and whoever wants stop looks
// afterwards whether there is a source: one of them sees the other.
std::stop_token held_lease::stop_token() const {
    if (given_stop_.stop_possible() || given_stop_.stop_requested()) return given_stop_.get_token();
    std::stop_source* known = own_stop_.load();
    if (!known) {
        auto made = std::make_unique<std::stop_source>();
        if (own_stop_.compare_exchange_strong(known, made.get())) known = made.release();
        if (stop_wanted_) known->request_stop();
    }
    return known->get_token();
}

void held_lease::request_stop() noexcept {
    stop_wanted_ = true;
    const std::stop_source* own = own_stop_.load();
    std::stop_source told = own ? *own : given_stop_;
    told.request_stop();
    runtime_->time_passed();
}

void held_lease::rearm() {
    runtime_->timers().arm(renewal_timer_, state_.next_renewal(runtime_->random()));
    runtime_->timers().arm(loss_timer_, state_.stop_at());
}

void held_lease::publish() noexcept {
    valid_until_.store(state_.valid_until().time_since_epoch().count(), std::memory_order_release);
}

void held_lease::end_validity() noexcept {
    valid_until_.store(core::instant::min().time_since_epoch().count(), std::memory_order_release);
}

void held_lease::renewal_due() {
    due_again_ = renewal_ != nullptr && !planted(core::mistake::due_renewal_dropped);
    begin_renewal();
}

void held_lease::begin_renewal() {
    if (renewal_) return;
    renewal_timer_.disarm();
    stay_alive();
    renewal_listener& listener = *this;
    renewal_.reset(new renewal(*runtime_, listener, extenders_));
    change_ttl_as_wanted(renewal_->waiters());
    const time::instant now = runtime_->now();
    state_.sending(now);
    publish();
    keys_end_ = std::max(keys_end_, core::saturating_add(now, core::saturating_nanoseconds(life_)));
    renewal_->start(*claim_, life_, fencing_token_);
}

void held_lease::renewal_decided() noexcept {
    const errc outcome = outcome_of(renewal_->round());
    answer(renewal_->waiters(), code_of(outcome));
    if (unlocking_)
        begin_release();
    else if (state_.phase() == core::lease_phase::held)
        rearm();
}

void held_lease::change_ttl_as_wanted(const lease_waiters& extenders) noexcept {
    if (extenders.empty()) return;
    const std::chrono::milliseconds ttl = extenders.back().wanted_ttl;
    life_ = ttl + lock_delay_;
    state_.change_ttl(core::saturating_nanoseconds(ttl), stop_margin_of(ttl, stop_margin_));
}

errc held_lease::outcome_of(const renew_round& round) noexcept {
    runtime_->counts().renewal_time.record(runtime_->now() - round.sent_at());
    if (state_.phase() != core::lease_phase::held)
        return runtime_->closing() ? errc::closed : errc::lease_lost;
    switch (round.verdict()) {
    case core::verdict::granted:
        ++runtime_->counts().renewals;
        state_.confirmed(round.sent_at());
        publish();
        if (observer* o = runtime_->observer()) o->renewed(key(), remaining());
        return errc{};
    case core::verdict::refused:
        lose(loss::majority);
        return errc::lease_lost;
    default:
        ++runtime_->counts().failed_renewals;
        state_.inconclusive(runtime_->now());
        return round.failure();
    }
}

void held_lease::renewal_settled() noexcept {
    renewal_.reset();
    const bool wanted = std::exchange(due_again_, false) || !extenders_.empty();
    if (wanted && state_.phase() == core::lease_phase::held && !unlocking_) return begin_renewal();
    may_die();
}

void held_lease::lose(loss cause) noexcept {
    if (state_.phase() != core::lease_phase::held) return;
    counters& counts = runtime_->counts();
    counts.lost_by_deadline += cause == loss::deadline;
    counts.lost_by_majority += cause == loss::majority;
    end_hold();
    state_.lose();
    lost_ = cause != loss::closing;
    renewal_timer_.disarm();
    loss_timer_.disarm();
    // Past the deadline the keys stay until they run out or the holder unlocks: it has its margin left to
    // stop in, and nobody else may come in meanwhile. Without a majority there is nothing left to protect.
    const core::nanoseconds left = remaining();
    // One that was let go has nobody left to stop.
    if (cause == loss::deadline && !disowned_) counts.stop_margin.record(left);
    if (cause != loss::deadline) end_validity();
    request_stop();
    if (observer* o = runtime_->observer())
        o->lost(key(), cause == loss::deadline ? left : core::nanoseconds::zero());
    answer(loss_waiters_, code_of(cause == loss::closing ? errc::closed : errc{}));
    answer(extenders_, code_of(cause == loss::closing ? errc::closed : errc::lease_lost));
    if (cause == loss::majority) give_back();
    turn_.end(runtime_->now());
}

core::nanoseconds held_lease::end_hold() noexcept {
    const core::nanoseconds held = runtime_->now() - held_since_;
    --runtime_->counts().held;
    runtime_->counts().hold_time.record(held);
    return held;
}

} // namespace redlock::lock
