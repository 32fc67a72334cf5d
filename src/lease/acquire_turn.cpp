// How a caller waits behind others of its own process, and takes a lease over from one of them.

#include "engines/redis/quorum/release.hpp"
#include "lease/acquire_waiting.hpp"
#include "lease/held_lease.hpp"

#include <algorithm>

namespace redlock::lock {

routine acquire::await_turn() {
    begin_to_wait();
    waiting& waits_now = waits();
    runtime_->queues().queue_up(waits_now, claim_->full_key);
    runtime_->timers().arm(waits_now, wait_until_);
    const unsigned events = co_await any_of(has_turn | time_passed | ends);
    waits_now.disarm();
    waits_now.leave_local_queue();
    if ((events & has_turn) != 0 && (events & ends) == 0) co_return;
    if ((events & has_turn) != 0) pass_on();
    finish(events & ends ? reason_of(events) : errc::wait_timeout);
}

bool acquire::has_wrong_kind() const noexcept { return taken().lease.of->is_fenced() != terms_.fencing; }

// Only on the terms it was taken on, and with most of its life ahead: otherwise the nodes are asked first.
bool acquire::suits_as_it_is() const noexcept {
    if (taken().lease.life != terms_.life || taken().lease.state.ttl() != terms_.lease.ttl) return false;
    const core::nanoseconds ttl = terms_.lease.ttl;
    const core::nanoseconds left = taken().lease.state.valid_until() - runtime_->clock().now();
    return left >= (terms_.lease.renew ? ttl / 2 : ttl - ttl / 10);
}

bool acquire::take_lease_as_it_is() {
    if (!suits_as_it_is()) return false;
    const core::lease_state state = taken().lease.state.handed_to(terms_.lease, runtime_->clock().now());
    grant(std::move(taken().lease.of), state, taken().lease.keys_end);
    return true;
}

// With fencing every grant needs a token of its own, and asks the nodes for that.
routine acquire::confirm_lease() {
    operation& self = *this;
    renew_round& confirming = taken().confirming.emplace(*runtime_, self, is_decided, is_settled);
    const std::shared_ptr<const claim> asked_for = taken().lease.of; // until the last reply
    const bool as_it_is = suits_as_it_is();
    unsigned events = 0;
    if (terms_.fencing) advance_token(*asked_for);
    if (!as_it_is) {
        taken().lease.keys_end =
            std::max(taken().lease.keys_end,
                     core::saturating_add(runtime_->now(), core::saturating_nanoseconds(terms_.life)));
        confirming.start(*asked_for, terms_.life, taken().lease.fencing_token);
        events = co_await any_of(is_decided | ends);
        confirming.close();
    }
    if (terms_.fencing && !(events & ends)) events |= co_await any_of(token_decided | ends);
    if (fence_) fence_->close();
    settle_confirmation(events, as_it_is);
    while (!confirming.settled() || (fence_ && !fence_->settled()))
        co_await any_of(is_settled);
    forget(is_decided | is_settled | token_decided);
}

void acquire::settle_confirmation(unsigned events, bool as_it_is) {
    using core::verdict;
    const bool confirmed = as_it_is || taken().confirming->verdict() == verdict::granted;
    if ((events & ends) == 0 && confirmed && has_token()) {
        const time::instant now = runtime_->clock().now();
        const core::lease_state state =
            as_it_is ? taken().lease.state.handed_to(terms_.lease, now)
                     : core::lease_state(terms_.lease, taken().confirming->sent_at(), now);
        if (state.stop_at() > now) return grant(std::move(taken().lease.of), state, taken().lease.keys_end);
        ++runtime_->counts().late_grants;
    }
    release_handed();
    if (events & ends) return finish(reason_of(events));
    const round& doubtful = confirmed && fence_ ? static_cast<round&>(*fence_) : *taken().confirming;
    // Gone from a majority of the nodes: it is to be had anew.
    if (doubtful.verdict() == verdict::refused) return turn_.lost();
    finish(doubtful.failure());
}

void acquire::pass_on() noexcept {
    if (!has_lease()) return;
    if (turn_.hand_over(taken().lease, runtime_->now()))
        taken().lease.of.reset();
    else
        release_handed();
}

void acquire::release_handed() {
    release::start(*runtime_, std::move(taken().lease.of), release::all_nodes,
                   core::saturating_add(taken().lease.keys_end, runtime_->settings().node_timeout));
}

} // namespace redlock::lock
