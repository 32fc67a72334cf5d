// How a contest waits: for a place on the wire, for a holder, for others to give way.

#include "core/validity.hpp"
#include "engines/redis/quorum/contest_waiting.hpp"

#include <algorithm>

namespace redlock::redis {

namespace {

// How often votes are kept in a row, waiting for the missing ones, before all are given back.
constexpr unsigned most_keeps = 3;

} // namespace

// `asked`: the first try is under way, or has just been answered.
turn::routine contest::contend(bool asked) {
    if (const time::instant pause = first_try(); !asked && pause > quorum_.now()) {
        quorum_.timers().arm(waits(), std::min(pause, wait_until_));
        const unsigned events = co_await any_of(time_passed | ends);
        waits().disarm();
        if (events & ends) {
            finish(why_ended_);
            co_return;
        }
    }
    for (bool wait_first = !asked && comes_to_a_contest();; wait_first = true, asked = false) {
        while (wait_first && !has_outcome_) {
            watch_key();
            const unsigned events = co_await any_of(may_be_free | time_passed | ends);
            if (stops_waiting(events)) break;
        }
        while (!asked && !keeps_votes_ && !has_outcome_ && !round_->settled()) {
            const unsigned events = co_await any_of(is_settled | ends);
            if (events & ends) finish(why_ended_);
        }
        if (has_outcome_) break;
        if (!inside_ && !(inside_ = quorum_.window().enter(waits()))) {
            quorum_.timers().arm(waits(), patience());
            const unsigned events = co_await any_of(is_admitted | time_passed | ends);
            if (!is_let_in(events)) break;
        }
        if (!asked) ask();
        unsigned events = co_await any_of(is_decided | ends);
        round_->close();
        if (needs_token(events)) events = co_await any_of(token_decided | ends);
        if (fence_) fence_->close();
        const bool over = is_over(events);
        if (!keeps_votes_) leave_window();
        if (over) break;
    }
}

// A newcomer lets those go first who have been waiting for the key, and have just been told that it is free.
time::instant contest::first_try() const noexcept {
    const time::instant now = quorum_.now();
    const bool others_are_told = not_before_ > now ? quorum_.majority_tells() : comes_to_a_contest();
    if (!others_are_told) return std::max(now, not_before_);
    // In a crowd all of them are late.
    const bool crowded = quorum_.contests().is_crowded(claim_->full_key, now);
    const time::instant taken = now + 4 * (crowded ? quorum_.round_trip() : quorum_.usual_round_trip());
    return not_before_ > now ? std::min(taken, not_before_) : taken;
}

// Then it looks before it tries.
bool contest::comes_to_a_contest() const noexcept {
    return waits_for_others_ && quorum_.contests().is_contested(claim_->full_key, quorum_.now());
}

void contest::watch_key() {
    listener_.others_have_it(*claim_);
    forget(may_be_free | time_passed);
    waiting& state = waits();
    if (state.watch)
        state.watch->go_on(round_->votes().count(core::vote::yes) > 0);
    else
        state.watch = &key_watch::start(quorum_, claim_, state,
                                        keeps_votes_ ? round_->votes().who(core::vote::yes) : 0);
    round_->note_in(&state.watch->sight());
    quorum_.timers().arm(state, keeps_votes_ ? std::min(wait_until_, state.keep_until) : wait_until_);
}

bool contest::stops_waiting(unsigned events) {
    waits().disarm();
    if ((events & ends) == 0 && ((events & may_be_free) != 0 || wait_is_over())) return true;
    // Nobody else gave way: it is time to do so.
    release_votes();
    if (events & ends) finish(why_ended_);
    return false;
}

bool contest::is_let_in(unsigned events) {
    waits().disarm();
    if ((events & is_admitted) != 0 && (events & ends) == 0) return inside_ = true;
    // The place may have come in the very turn in which it was not wanted any more.
    if (!quorum_.window().withdraw(waits())) quorum_.window().leave();
    finish(events & ends ? why_ended_ : errc::wait_timeout);
    return false;
}

// Of contenders that split the votes, the one with the vote of the arbiter goes on: of the first node, in an
// order that all of them compute alike, that answered.
bool contest::is_favourite() const noexcept {
    if ((waiting_ && waiting_->keeps >= most_keeps) || !round_->is_split()) return false;
    const core::tally& votes = round_->votes();
    std::uint64_t highest = 0;
    bool has_highest = false;
    for (std::uint32_t index = 0; index < quorum_.nodes(); ++index) {
        const bool yes = votes.is(index, core::vote::yes);
        if (!yes && !votes.is(index, core::vote::no)) continue;
        const std::uint64_t rank =
            core::arbitration_rank(claim_->full_key, quorum_.session_of(index).identity());
        if (rank < highest) continue;
        highest = rank;
        has_highest = yes;
    }
    return has_highest;
}

// For a while that differs from contender to contender, should several take themselves for the favourite. Its
// validity counts from the oldest vote, so waiting costs of it.
void contest::keep_votes() {
    keeps_votes_ = true;
    ++waits().keeps;
    ++quorum_.counts().kept_votes;
    const core::nanoseconds longest = std::min(quorum_.settings().node_timeout, ttl_ / 4);
    waits().keep_until = round_->sent_at() + quorum_.random().between(longest / 2, longest);
}

} // namespace redlock::redis
