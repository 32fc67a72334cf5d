#include "lease/acquire_waiting.hpp"
#include "lease/held_lease.hpp"

#include <redlock/observer.hpp>

#include <algorithm>

namespace redlock::lock {

acquire::acquire(const std::shared_ptr<runtime>& r, std::shared_ptr<const claim> c,
                 const lock_options& options, std::stop_source stop, acquire_listener& listener)
    : operation(r->ready()),
      runtime_(r),
      claim_(std::move(c)),
      terms_(terms_of(options, r->settings().drift)),
      stop_(std::move(stop)),
      listener_(listener),
      began_at_(runtime_->now()),
      wait_until_(core::saturating_add(began_at_, terms_.wait)) {}

// Not closed: the nodes may be gone by now.
acquire::~acquire() {
    if (key_watch* const w = watch()) w->forget_listener();
    forget_watch(); // the round may stay for longer than the watch
}

void acquire::forget_watch() noexcept {
    if (waiting_) waiting_->watch = nullptr;
    if (round_) round_->note_in(nullptr);
}

void acquire::start() {
    runtime_->acquires().push_back(*this);
    ++runtime_->counts().waiting;
    if (terms_.wait == core::nanoseconds::zero()) {
        // One attempt does not queue: it knows already, or makes it beside a caller that has got no further.
        const local_queues::occupation by = runtime_->queues().who_has(claim_->full_key);
        if (by == local_queues::occupation::holder) return refuse_at_once();
        if (by == local_queues::occupation::contender) return begin_contest();
    }
    turn_ = runtime_->queues().enter(claim_);
    if (turn_)
        begin_turn();
    else
        run(await_turn());
}

void acquire::begin_turn() {
    if (has_lease() && has_wrong_kind()) {
        release_handed();
        turn_.lost();
    }
    if (!has_lease()) return begin_contest();
    if (terms_.fencing || !take_lease_as_it_is()) return run(confirm_lease());
    routine_ended();
}

void acquire::refuse_at_once() noexcept {
    if (observer* o = runtime_->observer()) o->refused(claim_->key(), make_error_code(errc::held));
    finish(errc::held);
    routine_ended();
}

void acquire::grant(std::shared_ptr<const claim> granted, const core::lease_state& state,
                    time::instant keys_end) {
    counters& counts = runtime_->counts();
    const core::nanoseconds waited = runtime_->now() - began_at_;
    ++counts.grants;
    counts.remote_handoffs += watch() != nullptr;
    counts.time_to_acquire.record(waited);
    end_of_wait();
    --counts.waiting;
    has_outcome_ = true;
    stop_watching();
    list_hook::unlink();
    const std::uint64_t fencing_token = fence_ ? fence_->token() : granted->proposal;
    if (fence_) runtime_->fence_seen(fencing_token);
    detail::lease_pointer held(new held_lease(runtime_, std::move(granted), terms_, state, keys_end,
                                              std::move(stop_), std::move(turn_), fencing_token));
    held->start();
    if (observer* o = runtime_->observer()) o->granted(held->key(), waited);
    listener_.granted(std::move(held));
}

void acquire::begin_to_wait() noexcept {
    waiting& state = waits();
    if (state.since != time::instant::max()) return;
    state.since = runtime_->now();
    if (observer* o = runtime_->observer()) o->waiting(claim_->key());
}

void acquire::end_of_wait() noexcept {
    if (waiting_ && waiting_->since != time::instant::max())
        runtime_->counts().wait_time.record(runtime_->now() - waiting_->since);
}

void acquire::stop_watching() noexcept {
    if (round_) round_->note_in(nullptr);
    if (watch()) std::exchange(waiting_->watch, nullptr)->close();
}

void acquire::finish(errc why) noexcept {
    has_outcome_ = true;
    stop_watching();
    list_hook::unlink();
    turn_.end(runtime_->now());
    end_of_wait();
    counters& counts = runtime_->counts();
    --counts.waiting;
    if (why == errc{})
        ++counts.cancelled;
    else
        counts.call_refused(why);
    listener_.not_granted(why);
}

void acquire::routine_ended() noexcept {
    if (has_outcome_)
        listener_.acquire_over();
    else
        begin_turn();
}

} // namespace redlock::lock
