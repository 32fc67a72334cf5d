// How a contest waits: for a place on the wire, for a holder.

#include "engines/redis/quorum/contest_waiting.hpp"

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
            .usual_round_trip = quorum_.usual_round_trip()};
}

void contest::watch_key(time::instant until) {
    listener_.others_have_it(*claim_);
    forget(may_be_free | time_passed);
    waiting& state = waits();
    const core::node_set votes = round_.votes().who(core::vote::yes);
    if (state.watch)
        state.watch->go_on(!votes.empty());
    else
        state.watch =
            &key_watch::start(quorum_, claim_, state, rule_.keeps_votes() ? votes : core::node_set());
    round_.note_in(&state.watch->sight());
    quorum_.timers().arm(state, until);
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
