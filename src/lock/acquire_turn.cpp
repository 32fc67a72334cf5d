// How a caller waits behind others of its own process, and takes a lease over from one of them.

#include "lock/acquire.hpp"
#include "lock/held_lease.hpp"
#include "lock/release.hpp"

#include <algorithm>

namespace redlock::lock {

routine acquire::await_turn() {
    runtime_->timers().arm(*this, wait_until_);
    const unsigned events = co_await any_of(has_turn | time_passed | ends);
    disarm();
    leave_local_queue();
    if ((events & has_turn) != 0 && (events & ends) == 0) co_return;
    if ((events & has_turn) != 0) pass_on();
    finish(events & ends ? reason_of(events) : errc::wait_timeout);
}

void acquire::turn_came(local_turn turn) noexcept {
    turn_ = std::move(turn);
    raise(has_turn);
}

void acquire::lease_came(local_turn turn, handover lease) noexcept {
    taken_.reset(new takeover(std::move(lease)));
    turn_came(std::move(turn));
}

// Only on the terms it was taken on, and with most of its life ahead: otherwise the nodes are asked first.
bool acquire::take_lease_as_it_is() {
    if (taken_->lease.life != terms_.life || taken_->lease.state.ttl() != terms_.lease.ttl) return false;
    const time::instant now = runtime_->clock().now();
    const core::lease_state state = taken_->lease.state.handed_to(terms_.lease, now);
    const core::nanoseconds ttl = terms_.lease.ttl;
    if (state.valid_until() - now < (terms_.lease.renew ? ttl / 2 : ttl - ttl / 10)) return false;
    grant(std::move(taken_->lease.of), state);
    return true;
}

routine acquire::confirm_lease() {
    operation& self = *this;
    renew_round& confirming = taken_->confirming.emplace(*runtime_, self, is_decided, is_settled);
    taken_->lease.keys_end =
        std::max(taken_->lease.keys_end,
                 core::saturating_add(runtime_->now(), core::saturating_nanoseconds(terms_.life)));
    const std::shared_ptr<const claim> asked_for = taken_->lease.of; // until the last reply
    confirming.start(*asked_for, terms_.life);
    const unsigned events = co_await any_of(is_decided | ends);
    confirming.close();
    settle_confirmation(events);
    if (!confirming.settled()) co_await any_of(is_settled);
    forget(is_decided | is_settled);
}

void acquire::settle_confirmation(unsigned events) {
    if ((events & ends) == 0 && taken_->confirming->verdict() == core::verdict::granted) {
        const time::instant now = runtime_->clock().now();
        const core::lease_state state(terms_.lease, taken_->confirming->sent_at(), now);
        if (state.stop_at() > now) return grant(std::move(taken_->lease.of), state);
        ++runtime_->counts().late_grants;
    }
    release_handed();
    if (events & ends) return finish(reason_of(events));
    // Gone from a majority of the nodes: it is to be had anew.
    if (taken_->confirming->verdict() == core::verdict::refused) return turn_.lost();
    finish(taken_->confirming->failure());
}

void acquire::pass_on() noexcept {
    if (!has_lease()) return;
    if (turn_.hand_over(taken_->lease, runtime_->now()))
        taken_->lease.of.reset();
    else
        release_handed();
}

void acquire::release_handed() {
    release::start(*runtime_, std::move(taken_->lease.of), release::all_nodes,
                   core::saturating_add(taken_->lease.keys_end, runtime_->settings().node_timeout));
}

} // namespace redlock::lock
