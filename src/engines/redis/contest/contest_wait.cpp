// How a contest waits: for a place on the wire, for a holder.

#include "engines/redis/contest/contest_waiting.hpp"
#include "engines/redis/queue/hand_overs.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace redlock::redis {

core::crowd contest::others(bool holds_off) const noexcept {
    const core::contest_memory& memory = quorum_.contests();
    const time::instant now = quorum_.now();
    if (!memory.is_contested(claim_->full_key, now) && !holds_off) return {};
    return {.contested = memory.is_contested(claim_->full_key, now),
            .crowded = memory.is_crowded(claim_->full_key, now),
            .majority_tells = quorum_.majority_tells(),
            .round_trip = quorum_.round_trip(),
            .usual_round_trip = quorum_.usual_round_trip(),
            .queues = can_queue(),
            .told = can_queue() && !quorum_.hands().are_untold() && !memory.was_freed(claim_->full_key, now)};
}

void contest::watch_key(time::instant until) {
    listener_.others_have_it(*claim_);
    forget(may_be_free | time_passed);
    waiting& state = waits();
    const core::node_set votes = round_.votes().who(core::vote::yes);
    if (state.watch) {
        state.watch->go_on(!votes.empty());
    } else {
        state.watch =
            &key_watch::start(quorum_, claim_, state, rule_.keeps_votes() ? votes : core::node_set());
        ++quorum_.counts().undirected_waits;
    }
    round_.note_in(&state.watch->sight());
    quorum_.timers().arm(state, until);
}

bool contest::can_queue() const noexcept {
    return rule_.waits() && !no_queue_ && !claim_->reads() && quorum_.hands().are_likely();
}

core::nanoseconds contest::first_ttl() const noexcept {
    return renews_ ? core::first_ttl_of(quorum_.node_timeout(), ttl_) : ttl_;
}

// At first it only stands there: most often it is soon its turn. After a while it watches the key as well,
// for keys run out, and others than those who know of the queue take them away.
void contest::queue_for_key(time::instant until) {
    listener_.others_have_it(*claim_);
    forget(queue_decided | may_be_free | time_passed);
    renew_claim();
    is_written_ = true;
    waiting& state = waits();
    const std::chrono::milliseconds first_life =
        life_ - std::chrono::duration_cast<std::chrono::milliseconds>(ttl_ - first_ttl());
    state.waits_until = until;
    state.watches_from = quorum_.now() + quorum_.node_timeout() / 2;
    stand_listener& listener = state;
    assert(!state.stand);
    queue_stand& made = queue_stand::make(quorum_, claim_, first_life, first_ttl(), listener);
    state.stand = &made;
    made.start();
    quorum_.timers().arm(state, std::min(until, state.watches_from));
}

// Who is not told of hand-overs enters again so often that it needs nothing else. Only of a key that is held
// for long it had better be told that it has changed. What tells that once would have to be asked each time.
void contest::watch_beside_queue(bool holder_is_deaf) {
    waiting& state = *waiting_;
    if (quorum_.hands().are_untold()) {
        if (!state.stand->is_in_front() || !quorum_.majority_has_events()) return;
        state.stand->is_watched();
    } else if (!state.stand->is_in_front() && !holder_is_deaf) {
        return;
    }
    state.watch = &key_watch::start(quorum_, claim_, state, {});
    quorum_.counts().undirected_waits += holder_is_deaf;
}

core::contender::step contest::queued_events() {
    waiting& state = *waiting_;
    const time::instant now = quorum_.now();
    if (take(queue_decided) != 0 && state.stand->has_key()) {
        state.disarm();
        claim_ = state.stand->claim();
        stop_watching();
        return rule_.handed_over(!fencing_);
    }
    if (state.stand->has_failed()) {
        state.disarm();
        no_queue_ = true;
        return rule_.queues_failed();
    }
    if (now >= state.waits_until) return state.disarm(), rule_.time_passed(now, others(), round_.settled());
    if (take(may_be_free) != 0 && state.watch) {
        state.stand->look_again();
        state.watch->go_on(false);
    }
    forget(time_passed);
    if (now >= state.watches_from) {
        const bool is_deaf = state.watches_from == time::instant::min();
        if (!state.watch) watch_beside_queue(is_deaf);
        state.watches_from = now + quorum_.node_timeout();
    }
    quorum_.timers().arm(state,
                         std::min(state.waits_until, state.watch ? state.waits_until : state.watches_from));
    return {.what = core::contender::action::queue, .until = state.waits_until};
}

void contest::stop_watching() noexcept {
    round_.note_in(nullptr);
    if (watch()) std::exchange(waiting_->watch, nullptr)->close();
}

// Whether there is a place at once. Otherwise it stands in the queue for one.
bool contest::enters_window(time::instant until) {
    forget(is_admitted | time_passed);
    has_place_ = quorum_.window().enter_at_once() || quorum_.window().enter(waits());
    if (!has_place_) quorum_.timers().arm(waits(), until);
    return has_place_;
}

// The place may have come in the very turn in which it was not wanted any more.
void contest::leave_queue() noexcept {
    if (!quorum_.window().withdraw(waits())) quorum_.window().leave();
}

void contest::leave_window() noexcept {
    if (std::exchange(has_place_, false)) quorum_.window().leave();
}

} // namespace redlock::redis
