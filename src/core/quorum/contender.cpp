#include "core/quorum/contender.hpp"

#include "core/validity.hpp"

#include <algorithm>
#include <cassert>

namespace redlock::core {

namespace {

// How often votes are kept in a row, waiting for the missing ones, before all are given back.
constexpr unsigned most_keeps = 3;

// How many round trips those take to get the key who are told that it is free.
constexpr int trips_to_take_it = 4;

// For how long a newcomer to the queues stays out of the way of those who are handed the key.
constexpr nanoseconds longest_courtesy = std::chrono::microseconds(200);

} // namespace

bool is_split(const round_result& r, unsigned nodes) noexcept {
    return !r.yes.empty() && (r.rivals || r.no.size() < majority(nodes));
}

// A newcomer lets those go first who have been waiting for the key, and have just been told that it is free.
// In a queue they do so anyhow, and who comes late to it leaves whoever has the key with nobody to hand it
// to: only what he would send does not compete with the hand-over itself, where one machine does both.
instant contender::first_try(instant now, const crowd& others, instant not_before) const noexcept {
    const bool holds_off = not_before > now;
    if (!holds_off && terms_.waits && others.contested && others.told)
        return now + std::min(others.usual_round_trip, longest_courtesy);
    const bool others_are_told = holds_off ? others.majority_tells : terms_.waits && others.contested;
    if (!others_are_told) return std::max(now, not_before);
    // In a crowd all of them are late.
    const instant taken =
        now + trips_to_take_it * (others.crowded ? others.round_trip : others.usual_round_trip);
    return holds_off ? std::min(taken, not_before) : taken;
}

contender::step contender::start(instant now, const crowd& others, instant not_before) noexcept {
    const instant at = first_try(now, others, not_before);
    if (at <= now) return first_look(others);
    assert(phase_ == phase::pausing);
    return {.what = action::pause, .until = std::min(at, terms_.wait_until)};
}

// Where others want the key, it looks before it tries.
contender::step contender::first_look(const crowd& others) noexcept {
    if (!terms_.waits || !others.contested) return approach(true);
    return others.queues ? queue() : watch(terms_.wait_until);
}

contender::step contender::watch(instant until) noexcept {
    phase_ = phase::watching;
    return {.what = action::watch, .until = std::min(until, terms_.wait_until)};
}

contender::step contender::queue() noexcept {
    phase_ = phase::queueing;
    queues_ = true;
    return {.what = action::queue, .until = terms_.wait_until};
}

contender::step contender::handed_over(bool has_token) noexcept {
    assert(phase_ == phase::queueing);
    phase_ = has_token ? phase::over : phase::asking;
    return {.what = has_token ? action::take : action::get_token};
}

contender::step contender::queues_failed() noexcept {
    assert(phase_ == phase::queueing);
    queues_ = false;
    step next = watch(terms_.wait_until);
    next.gives_way = true;
    return next;
}

contender::step contender::time_passed(instant now, const crowd& others, bool settled) noexcept {
    switch (phase_) {
    case phase::pausing:
        return first_look(others);
    case phase::watching: {
        if (now >= terms_.wait_until) return approach(settled); // a last try
        // Nobody else gave way: it is time to do so.
        keeps_votes_ = false;
        inside_ = false;
        step next = watch(terms_.wait_until);
        next.gives_way = true;
        return next;
    }
    case phase::queueing: {
        step last_try = approach(settled);
        last_try.gives_way = true;
        return last_try;
    }
    default:
        phase_ = phase::over;
        return {.what = action::end, .why = errc::wait_timeout};
    }
}

contender::step contender::may_be_free(bool settled) noexcept { return approach(settled); }

contender::step contender::approach(bool settled) noexcept {
    if (keeps_votes_ || settled) return enter();
    phase_ = phase::settling;
    return {.what = action::await_replies};
}

// One attempt without waiting for others takes the time it takes.
contender::step contender::enter() noexcept {
    if (inside_) return admitted();
    phase_ = phase::entering;
    return {.what = action::enter, .until = terms_.waits ? terms_.wait_until : instant::max()};
}

contender::step contender::admitted() noexcept {
    inside_ = true;
    phase_ = phase::asking;
    if (!keeps_votes_) keeps_ = 0;
    return {.what = action::ask};
}

contender::step contender::decided(const round_result& r, instant now, bool watching,
                                   instant keep_until) noexcept {
    assert(phase_ == phase::asking);
    keeps_votes_ = false;
    if (r.votes == verdict::granted && !r.has_token) return {.what = action::get_token};
    return conclude(r, now, watching, keep_until);
}

contender::step contender::token_decided(const round_result& r, instant now, bool watching,
                                         instant keep_until) noexcept {
    assert(phase_ == phase::asking && r.votes == verdict::granted);
    return conclude(r, now, watching, keep_until);
}

contender::step contender::conclude(const round_result& r, instant now, bool watching,
                                    instant keep_until) noexcept {
    if (r.votes == verdict::granted && r.has_token) {
        phase_ = phase::over;
        return {.what = action::take};
    }
    refusal_ = {.why = errc::held, .reached = true};
    if (r.votes == verdict::unreachable || (r.votes == verdict::granted && !r.token_refused))
        refusal_ = {.why = r.failure};
    bool favourite = false;
    if (r.votes == verdict::refused) {
        const bool split = is_split(r, nodes_);
        refusal_.split = !r.yes.empty();
        refusal_.lost_race = split || r.raced;
        queues_ = queues_ || r.queues;
        favourite = !queues_ && split && keeps_ < most_keeps && r.arbiter && r.yes.has(*r.arbiter);
    }
    return refused(now, watching, favourite, keep_until);
}

// Waiting longer would not make the nodes any quicker.
contender::step contender::came_too_late(instant now, bool watching) noexcept {
    refusal_ = {.why = errc::no_quorum};
    return refused(now, watching, false, instant::max());
}

contender::step contender::refused(instant now, bool watching, bool favourite, instant keep_until) noexcept {
    // Who waits for a holder may be on its way to the nodes, or not, when they go away for a while.
    const errc why = refusal_.why;
    const bool waits_on = why == errc::held || (why == errc::no_quorum && (watching || queues_));
    if (!waits_on || now >= terms_.wait_until) {
        phase_ = phase::over;
        const bool timed_out = why == errc::held && terms_.waits;
        return {.what = action::end, .why = timed_out ? errc::wait_timeout : why, .gives_way = true};
    }
    if (favourite) {
        keeps_votes_ = true;
        ++keeps_;
        return watch(keep_until);
    }
    inside_ = false;
    step next = queues_ ? queue() : watch(terms_.wait_until);
    next.gives_way = true;
    return next;
}

instant contender::keep_until(instant oldest_vote, random& draws) const {
    return oldest_vote + draws.between(terms_.longest_keep / 2, terms_.longest_keep);
}

} // namespace redlock::core
