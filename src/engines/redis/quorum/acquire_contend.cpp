// How an acquire contends with other processes: it tries, waits while somebody else holds the key, tries
// again.

#include "core/mistake.hpp"
#include "engines/redis/quorum/release.hpp"
#include "lease/acquire_waiting.hpp"

#include <redlock/observer.hpp>

#include <algorithm>
#include <cassert>
#include <utility>

namespace redlock::lock {

namespace {

// How often votes are kept in a row, waiting for the missing ones, before all are given back.
constexpr unsigned most_keeps = 3;

} // namespace

// Most keys are free, and nobody else wants them: then the first try is all there is, and goes without a
// routine.
void acquire::begin_contest() {
    open_round();
    if (comes_to_a_contest() || first_try() > runtime_->now() || !round_->settled() ||
        !(inside_ = runtime_->window().enter_at_once()))
        return run(contend(false));
    ask();
    await(is_decided | ends);
}

void acquire::events_came() noexcept {
    if (pending(ends) || round_->verdict() != core::verdict::granted || !has_token())
        return run(contend(true));
    forget(is_decided);
    round_->close();
    [[maybe_unused]] const bool over = is_over(is_decided);
    assert(over); // granted, or too late for that
    leave_window();
    routine_ended();
}

// `asked`: the first try is under way, or has just been answered.
routine acquire::contend(bool asked) {
    if (const time::instant pause = first_try(); !asked && pause > runtime_->now()) {
        runtime_->timers().arm(waits(), std::min(pause, wait_until_));
        const unsigned events = co_await any_of(time_passed | ends);
        waits().disarm();
        if (events & ends) {
            finish(reason_of(events));
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
            if (events & ends) finish(reason_of(events));
        }
        if (has_outcome_) break;
        if (!inside_ && !(inside_ = runtime_->window().enter(waits()))) {
            runtime_->timers().arm(waits(), patience());
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

void acquire::open_round() {
    operation& self = *this;
    if (!round_) round_.reset(new acquire_round(*runtime_, self, is_decided, is_settled));
}

// A newcomer lets those go first who have been waiting for the key, and have just been told that it is free.
time::instant acquire::first_try() const noexcept {
    const time::instant now = runtime_->now();
    const time::instant hold_off = turn_.hold_off_until();
    const bool others_are_told = hold_off > now ? runtime_->majority_tells() : comes_to_a_contest();
    if (!others_are_told) return std::max(now, hold_off);
    // In a crowd all of them are late.
    const bool crowded = runtime_->contests().is_crowded(claim_->full_key, now);
    const time::instant taken = now + 4 * (crowded ? runtime_->round_trip() : runtime_->usual_round_trip());
    return hold_off > now ? std::min(taken, hold_off) : taken;
}

// Then it looks before it tries.
bool acquire::comes_to_a_contest() const noexcept {
    return terms_.wait > core::nanoseconds::zero() &&
           runtime_->contests().is_contested(claim_->full_key, runtime_->now());
}

void acquire::watch_key() {
    begin_to_wait();
    forget(may_be_free | time_passed);
    waiting& state = waits();
    if (state.watch)
        state.watch->go_on(round_->votes().count(core::vote::yes) > 0);
    else
        state.watch = &key_watch::start(*runtime_, claim_, state,
                                        keeps_votes_ ? round_->votes().who(core::vote::yes) : 0);
    round_->note_in(&state.watch->sight());
    runtime_->timers().arm(state, keeps_votes_ ? std::min(wait_until_, state.keep_until) : wait_until_);
}

bool acquire::stops_waiting(unsigned events) {
    waits().disarm();
    if ((events & ends) == 0 && ((events & may_be_free) != 0 || wait_is_over())) return true;
    // Nobody else gave way: it is time to do so.
    release_votes();
    if (events & ends) finish(reason_of(events));
    return false;
}

bool acquire::is_let_in(unsigned events) {
    waits().disarm();
    if ((events & is_admitted) != 0 && (events & ends) == 0) return inside_ = true;
    // The place may have come in the very turn in which it was not wanted any more.
    if (!runtime_->window().withdraw(waits())) runtime_->window().leave();
    finish(events & ends ? reason_of(events) : errc::wait_timeout);
    return false;
}

void acquire::ask() {
    forget(is_decided | is_settled | token_decided);
    key_watch* const w = watch();
    raced_ = w && w->has_chance();
    proposed_ = false;
    if (std::exchange(keeps_votes_, false))
        return round_->ask_again(w->sight().worth_asking(runtime_->now()));
    if (waiting_) waiting_->keeps = 0;
    const auto first = w ? w->first_to_ask() : std::nullopt;
    runtime_->counts().arbiter_tries += first.has_value();
    renew_claim();
    round_->start(*claim_, terms_.life, first ? std::uint64_t{1} << *first : acquire_round::all_nodes);
    propose_token();
}

bool acquire::is_over(unsigned events) {
    const bool ended = (events & ends) != 0;
    if (!ended && round_->verdict() == core::verdict::granted && has_token() && take_grant()) return true;
    errc why = ended ? reason_of(events) : refusal_of_round();
    // Who waits for a holder may be on its way to the nodes, or not, when they go away for a while.
    const bool waits_on = why == errc::held || (why == errc::no_quorum && watch());
    if (waits_on && !wait_is_over()) {
        if (is_favourite())
            keep_votes();
        else
            release_votes();
        return false;
    }
    release_votes();
    finish(why == errc::held && terms_.wait > core::nanoseconds::zero() ? errc::wait_timeout : why);
    return true;
}

// Of contenders that split the votes, the one with the vote of the arbiter goes on: of the first node, in an
// order that all of them compute alike, that answered.
bool acquire::is_favourite() const noexcept {
    if ((waiting_ && waiting_->keeps >= most_keeps) || !round_->is_split()) return false;
    const core::tally& votes = round_->votes();
    std::uint64_t highest = 0;
    bool has_highest = false;
    for (std::uint32_t index = 0; index < runtime_->nodes(); ++index) {
        const bool yes = votes.is(index, core::vote::yes);
        if (!yes && !votes.is(index, core::vote::no)) continue;
        const std::uint64_t rank =
            core::arbitration_rank(claim_->full_key, runtime_->session_of(index).identity());
        if (rank < highest) continue;
        highest = rank;
        has_highest = yes;
    }
    return has_highest;
}

// For a while that differs from contender to contender, should several take themselves for the favourite. Its
// validity counts from the oldest vote, so waiting costs of it.
void acquire::keep_votes() {
    keeps_votes_ = true;
    ++waits().keeps;
    ++runtime_->counts().kept_votes;
    const core::nanoseconds longest = std::min(runtime_->settings().node_timeout, terms_.lease.ttl / 4);
    waits().keep_until = round_->sent_at() + runtime_->random().between(longest / 2, longest);
}

bool acquire::take_grant() {
    const time::instant now = runtime_->time_of_grant();
    const time::instant sent = planted(core::mistake::validity_from_reply) ? now : round_->sent_at();
    const core::lease_state state(terms_.lease, sent, now);
    if (state.stop_at() <= now) {
        ++runtime_->counts().late_grants;
        return false;
    }
    turn_.granted(now);
    if (watch() && watch()->losses() == 0) runtime_->contests().won(claim_->full_key);
    grant(std::move(claim_), state, core::saturating_add(now, core::saturating_nanoseconds(terms_.life)));
    return true;
}

errc acquire::refusal_of_round() noexcept {
    counters& counts = runtime_->counts();
    errc why = errc::held;
    if (round_->verdict() == core::verdict::unreachable) {
        ++counts.no_quorum;
        why = round_->failure();
    } else if (round_->verdict() == core::verdict::granted && !has_token()) {
        // The key was taken over, or its nodes are gone, while the token was asked for.
        const bool reached = fence_->verdict() == core::verdict::refused;
        ++(reached ? counts.refusals : counts.no_quorum);
        if (!reached) why = fence_->failure();
    } else if (round_->verdict() == core::verdict::granted) {
        // Too late to be of use. Waiting longer would not make the nodes any quicker.
        why = errc::no_quorum;
    } else {
        ++counts.refusals;
        counts.split_votes += round_->votes().count(core::vote::yes) > 0;
        if (raced_ || round_->is_split())
            runtime_->contests().lost_race(claim_->full_key, runtime_->now());
        else if (terms_.wait > core::nanoseconds::zero())
            runtime_->contests().refused(claim_->full_key, runtime_->now());
    }
    if (observer* o = runtime_->observer()) o->refused(claim_->key(), make_error_code(why));
    return why;
}

void acquire::release_votes() {
    keeps_votes_ = false;
    if (watch()) watch()->sight().give_way();
    std::uint64_t nodes = round_->take_votes();
    if (planted(core::mistake::late_success_kept)) nodes &= round_->votes().who(core::vote::yes);
    const time::instant heard = round_->last_sent_at() + runtime_->settings().node_timeout;
    if (nodes != 0)
        release::start(*runtime_, claim_, nodes,
                       core::saturating_add(heard, core::saturating_nanoseconds(terms_.life)));
    leave_window();
}

void acquire::leave_window() noexcept {
    if (std::exchange(inside_, false)) runtime_->window().leave();
}

} // namespace redlock::lock
