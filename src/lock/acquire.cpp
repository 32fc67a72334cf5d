#include "lock/acquire.hpp"

#include "lock/held_lease.hpp"
#include "lock/release.hpp"

#include <redlock/observer.hpp>

#include <algorithm>

namespace redlock::lock {

acquire::acquire(std::shared_ptr<runtime> r, std::shared_ptr<const claim> c, const lock_terms& terms,
                 std::stop_source stop, acquire_listener& listener)
    : operation(r->ready()),
      runtime_(std::move(r)),
      claim_(std::move(c)),
      terms_(terms),
      stop_(std::move(stop)),
      listener_(listener),
      round_(*runtime_, *this, is_decided, is_settled),
      began_at_(runtime_->now()),
      wait_until_(core::saturating_add(began_at_, terms.wait)) {}

// Not closed: the nodes may be gone by now.
acquire::~acquire() {
    if (watch_) watch_->forget_listener();
}

void acquire::start() {
    runtime_->acquires().push_back(*this);
    ++runtime_->counts().waiting;
    if (terms_.wait == core::nanoseconds::zero()) {
        // One attempt does not queue: it knows already, or makes it beside a caller that has got no further.
        const local_queues::occupation by = runtime_->queues().who_has(claim_->full_key);
        if (by == local_queues::occupation::holder) return refuse_at_once();
        if (by == local_queues::occupation::contender) return run(contend());
    }
    turn_ = runtime_->queues().enter(*this, claim_);
    if (turn_)
        begin_turn();
    else
        run(await_turn());
}

void acquire::begin_turn() {
    if (!has_lease()) return run(contend());
    if (!take_lease_as_it_is()) return run(confirm_lease());
    routine_ended();
}

void acquire::refuse_at_once() noexcept {
    if (observer* o = runtime_->observer()) o->refused(claim_->key(), make_error_code(errc::held));
    finish(errc::held);
    routine_ended();
}

routine acquire::contend() {
    if (const time::instant pause = turn_.hold_off_until(); pause > runtime_->now()) {
        runtime_->timers().arm(*this, std::min(pause, wait_until_));
        const unsigned events = co_await any_of(time_passed | ends);
        disarm();
        if ((events & ends) != 0 || wait_is_over()) {
            finish(events & ends ? reason_of(events) : errc::wait_timeout);
            co_return;
        }
    }
    for (;;) {
        if (!runtime_->window().enter(*this)) {
            runtime_->timers().arm(*this, patience());
            const unsigned events = co_await any_of(is_admitted | time_passed | ends);
            disarm();
            if (events != is_admitted) {
                leave_window();
                finish(events & ends ? reason_of(events) : errc::wait_timeout);
                co_return;
            }
        }
        round_.start(*claim_, terms_.life, watch_ ? &watch_->sight() : nullptr);
        const unsigned events = co_await any_of(is_decided | ends);
        runtime_->window().leave();
        round_.close();
        if (is_over(events)) break;
        watch_key();
        runtime_->timers().arm(*this, wait_until_);
        unsigned woken = co_await any_of(may_be_free | time_passed | ends);
        if ((woken & ends) == 0 && !round_.settled()) woken |= co_await any_of(is_settled | ends);
        if (woken & ends) {
            disarm();
            finish(reason_of(woken));
            break;
        }
        disarm();
        forget(is_decided | is_settled | time_passed);
    }
    if (!round_.settled()) co_await any_of(is_settled);
}

void acquire::leave_window() noexcept {
    // The place may have come in the very turn in which it was not wanted any more.
    if (!runtime_->window().withdraw(*this)) runtime_->window().leave();
}

bool acquire::is_over(unsigned events) {
    const bool ended = (events & ends) != 0;
    if (!ended && round_.verdict() == core::verdict::granted && take_grant()) return true;
    release_votes();
    errc why = ended ? reason_of(events) : refusal_of_round();
    if (why == errc::held) {
        if (!wait_is_over()) return false;
        if (terms_.wait > core::nanoseconds::zero()) why = errc::wait_timeout;
    }
    finish(why);
    return true;
}

bool acquire::take_grant() {
    // By the clock itself: this turn may have begun long ago on a busy machine.
    const time::instant now = runtime_->clock().now();
    const core::lease_state state(terms_.lease, round_.sent_at(), now);
    if (state.stop_at() <= now) {
        ++runtime_->counts().late_grants;
        return false;
    }
    turn_.granted(now);
    grant(claim_, state);
    return true;
}

void acquire::grant(std::shared_ptr<const claim> granted, const core::lease_state& state) {
    ++runtime_->counts().grants;
    --runtime_->counts().waiting;
    has_outcome_ = true;
    stop_watching();
    list_hook::unlink();
    auto held =
        std::allocate_shared<held_lease>(detail::pool_allocator<held_lease>(), runtime_, std::move(granted),
                                         terms_, state, std::move(stop_), std::move(turn_));
    held->start();
    if (observer* o = runtime_->observer()) o->granted(claim_->key(), runtime_->now() - began_at_);
    listener_.granted(std::move(held));
}

errc acquire::refusal_of_round() noexcept {
    counters& counts = runtime_->counts();
    errc why = errc::held;
    if (round_.verdict() == core::verdict::unreachable) {
        ++counts.no_quorum;
        why = round_.failure();
    } else if (round_.verdict() == core::verdict::granted) {
        // Too late to be of use. Waiting longer would not make the nodes any quicker.
        why = errc::no_quorum;
    } else {
        ++counts.refusals;
        counts.split_votes += round_.votes().count(core::vote::yes) > 0;
    }
    if (observer* o = runtime_->observer()) o->refused(claim_->key(), make_error_code(why));
    return why;
}

void acquire::release_votes() {
    if (const std::uint64_t nodes = round_.may_hold())
        release::start(*runtime_, claim_, nodes,
                       round_.sent_at() + terms_.life + runtime_->settings().node_timeout);
}

void acquire::watch_key() {
    watch_listener& listener = *this;
    forget(may_be_free);
    if (watch_)
        watch_->go_on();
    else
        watch_ = &key_watch::start(*runtime_, claim_, listener);
}

void acquire::stop_watching() noexcept {
    round_.forget_sight();
    if (watch_) std::exchange(watch_, nullptr)->close();
}

void acquire::finish(errc why) noexcept {
    has_outcome_ = true;
    stop_watching();
    list_hook::unlink();
    turn_.end(runtime_->now());
    --runtime_->counts().waiting;
    runtime_->counts().cancelled += why == errc{};
    listener_.not_granted(why);
}

void acquire::routine_ended() noexcept {
    if (has_outcome_)
        listener_.acquire_over();
    else
        begin_turn();
}

} // namespace redlock::lock
