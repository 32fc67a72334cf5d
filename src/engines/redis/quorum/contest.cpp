#include "engines/redis/quorum/contest.hpp"

#include "core/mistake.hpp"
#include "core/validity.hpp"
#include "engines/redis/quorum/contest_waiting.hpp"
#include "engines/redis/quorum/release.hpp"

#include <redlock/observer.hpp>

#include <cassert>
#include <utility>

namespace redlock::redis {

contest::contest(quorum& q, const engine::wish& w, engine::contest_listener& listener)
    : operation(q.ready()),
      quorum_(q),
      listener_(listener),
      claim_(own(w.claim)),
      life_(w.life),
      ttl_(w.ttl),
      claimed_at_(w.claimed_at),
      wait_until_(w.wait_until),
      not_before_(w.not_before),
      fencing_(w.fencing),
      waits_for_others_(w.waits) {
    q.contests_under_way().push_back(*this);
}

contest::~contest() {
    if (key_watch* const w = watch()) w->forget_listener();
    if (round_) round_->note_in(nullptr); // it may stay for longer than the watch
}

void contest::cancel(errc why) noexcept {
    if (pending(ends)) return;
    why_ended_ = why;
    raise(ends);
}

// Most keys are free, and nobody else wants them: then the first try is all there is, and goes without a
// routine.
void contest::begin() {
    open_round();
    if (comes_to_a_contest() || first_try() > quorum_.now() || !(inside_ = quorum_.window().enter_at_once()))
        return run(contend(false));
    ask();
    await(is_decided | ends);
}

void contest::events_came() noexcept {
    if (pending(ends) || round_->verdict() != core::verdict::granted || !has_token())
        return run(contend(true));
    forget(is_decided);
    round_->close();
    [[maybe_unused]] const bool over = is_over(is_decided);
    assert(over); // granted, or too late for that
    leave_window();
    routine_ended();
}

void contest::open_round() {
    operation& self = *this;
    round_.reset(new acquire_round(quorum_, self, is_decided, is_settled));
}

void contest::ask() {
    forget(is_decided | is_settled | token_decided);
    key_watch* const w = watch();
    raced_ = w && w->has_chance();
    proposed_ = false;
    if (std::exchange(keeps_votes_, false)) return round_->ask_again(w->sight().worth_asking(quorum_.now()));
    if (waiting_) waiting_->keeps = 0;
    const auto first = w ? w->first_to_ask() : std::nullopt;
    quorum_.counts().arbiter_tries += first.has_value();
    renew_claim();
    round_->start(*claim_, life_, first ? std::uint64_t{1} << *first : acquire_round::all_nodes);
    propose_token();
}

bool contest::is_over(unsigned events) {
    const bool ended = (events & ends) != 0;
    if (!ended && round_->verdict() == core::verdict::granted && has_token() && take_grant()) return true;
    const errc why = ended ? why_ended_ : refusal_of_round();
    // Who waits for a holder may be on its way to the nodes, or not, when they go away for a while.
    const bool waits_on = why == errc::held || (why == errc::no_quorum && watch());
    if (!ended && waits_on && !wait_is_over()) {
        if (is_favourite())
            keep_votes();
        else
            release_votes();
        return false;
    }
    release_votes();
    finish(why == errc::held && waits_for_others_ ? errc::wait_timeout : why);
    return true;
}

bool contest::take_grant() {
    const std::uint64_t fencing_token = fence_ ? fence_->token() : claim_->proposal;
    engine::grant given{.claim = std::move(claim_),
                        .sent_at = round_->sent_at(),
                        .fencing_token = fencing_token,
                        .had_to_wait = watch() != nullptr};
    if (!listener_.takes(std::move(given))) {
        claim_ = own(std::move(given.claim));
        return false;
    }
    if (fence_) quorum_.fence_seen(fencing_token);
    if (watch() && watch()->losses() == 0) quorum_.contests().won(watch()->watched().full_key);
    has_outcome_ = true;
    stop_watching();
    return true;
}

errc contest::refusal_of_round() noexcept {
    counters& counts = quorum_.counts();
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
            quorum_.contests().lost_race(claim_->full_key, quorum_.now());
        else if (waits_for_others_)
            quorum_.contests().refused(claim_->full_key, quorum_.now());
    }
    if (observer* o = quorum_.observer()) o->refused(claim_->key(), make_error_code(why));
    return why;
}

void contest::release_votes() {
    keeps_votes_ = false;
    if (watch()) watch()->sight().give_way();
    std::uint64_t nodes = round_->take_votes();
    if (planted(core::mistake::late_success_kept)) nodes &= round_->votes().who(core::vote::yes);
    const time::instant heard = round_->last_sent_at() + quorum_.settings().node_timeout;
    if (nodes != 0)
        release::start(quorum_, claim_, nodes,
                       core::saturating_add(heard, core::saturating_nanoseconds(life_)));
    leave_window();
}

void contest::leave_window() noexcept {
    if (std::exchange(inside_, false)) quorum_.window().leave();
}

void contest::stop_watching() noexcept {
    if (round_) round_->note_in(nullptr);
    if (watch()) std::exchange(waiting_->watch, nullptr)->close();
}

void contest::finish(errc why) noexcept {
    has_outcome_ = true;
    stop_watching();
    listener_.not_granted(why);
}

void contest::routine_ended() noexcept {
    assert(has_outcome_);
    engine::contest_listener& listener = listener_;
    delete this;
    listener.contest_over();
}

} // namespace redlock::redis
