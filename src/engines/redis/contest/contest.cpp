#include "engines/redis/contest/contest.hpp"

#include "core/mistake.hpp"
#include "core/queue/queued_contender.hpp"
#include "core/validity.hpp"
#include "engines/redis/contest/contest_waiting.hpp"
#include "engines/redis/rounds/release.hpp"
#include "engines/redis/rounds/round_failure.hpp"

#include <redlock/observer.hpp>

#include <cassert>
#include <utility>

namespace redlock::redis {

using action = core::contender::action;
using step = core::contender::step;

contest::contest(quorum& q, engine::wish&& w, engine::contest_listener& listener)
    : operation(q.ready()),
      quorum_(q),
      listener_(listener),
      claim_(own(std::move(w.claim))),
      life_(w.life),
      claimed_at_(w.claimed_at),
      rule_({.waits = w.waits,
             .wait_until = w.wait_until,
             .longest_keep = core::longest_keep_of(q.node_timeout(), w.ttl)},
            q.nodes()),
      round_(*this),
      ttl_(w.ttl),
      fencing_(w.fencing),
      renews_(w.renews) {
    q.contests_under_way().push_back(*this);
    if (w.not_before > q.now()) waits().not_before = w.not_before;
}

contest::~contest() = default;

void contest::start() {
    const time::instant not_before = waiting_ ? waiting_->not_before : time::instant::min();
    act(rule_.start(quorum_.now(), others(waiting_ != nullptr), not_before));
}

void contest::cancel(errc why) noexcept {
    if (pending(ends)) return;
    why_ended_ = why;
    raise(ends);
}

void contest::act(step next) noexcept {
    for (;; next = rule_.came_too_late(quorum_.now(), watch() != nullptr), note_refusal()) {
        if (next.gives_way) release_votes();
        if (next.what == action::enter && enters_window(next.until)) next = rule_.admitted();
        doing_ = next.what;
        switch (next.what) {
        case action::pause:
            quorum_.timers().arm(waits(), next.until);
            return await(time_passed | ends);
        case action::watch:
            watch_key(next.until);
            return await(may_be_free | time_passed | ends);
        case action::queue:
            if (!stand()) queue_for_key(next.until);
            return await(queue_decided | may_be_free | time_passed | ends);
        case action::await_replies:
            forget(is_settled);
            return await(is_settled | ends);
        case action::enter:
            return await(is_admitted | time_passed | ends);
        case action::ask:
            ask();
            return await(is_decided | ends);
        case action::get_token:
            ask_for_token();
            return await(token_decided | ends);
        case action::take:
            assert(rule_.is_over());
            if (take_grant()) return finish();
            break;
        case action::end:
            assert(rule_.is_over());
            stop_watching();
            tell_refusal(next.why);
            return finish();
        }
    }
}

void contest::events_came() noexcept { act(answer_to_events()); }

step contest::answer_to_events() noexcept {
    if (doing_ == action::queue && !pending(ends)) return queued_events();
    if (waiting_) waiting_->disarm();
    if (doing_ == action::ask || doing_ == action::get_token) round_.close();
    if (pending(ends)) {
        if (doing_ == action::enter) leave_queue();
        return rule_.ended(why_ended_);
    }
    switch (doing_) {
    case action::ask:
        return round_decided();
    case action::get_token:
        return token_was_decided();
    case action::await_replies:
        return rule_.replies_came(round_.settled()); // it may have been the last of a fence's
    case action::enter:
        has_place_ = pending(is_admitted);
        if (has_place_) return rule_.admitted();
        leave_queue();
        break;
    case action::watch:
        if (pending(may_be_free)) return rule_.may_be_free(round_.settled());
        break;
    default:
        break;
    }
    return rule_.time_passed(quorum_.now(), others(), round_.settled());
}

void contest::ask() {
    forget(is_decided | is_settled | token_decided);
    key_watch* const w = watch();
    raced_ = w && w->has_chance();
    proposed_ = false;
    if (rule_.keeps_votes()) return round_.ask_again(w->sight().worth_asking(quorum_.now()));
    const auto first = w ? w->first_to_ask() : std::nullopt;
    quorum_.counts().arbiter_tries += first.has_value();
    renew_claim();
    is_written_ = true;
    quorum_.before(claim_->full_key);
    round_.start(*claim_, life_, first ? core::node_set::just(*first) : quorum_.every_node());
    propose_token();
}

core::round_result contest::result() {
    core::round_result r{.votes = stand() ? core::verdict::granted : round_.verdict(),
                         .yes = round_.votes().who(core::vote::yes),
                         .no = round_.votes().who(core::vote::no),
                         .rivals = round_.has_rivals(),
                         .raced = raced_,
                         .arbiter = std::nullopt,
                         .failure = round_.failure(),
                         .queues = false};
    if (r.votes != core::verdict::refused) return r;
    r.queues = can_queue();
    if (core::is_split(r, quorum_.nodes())) r.arbiter = quorum_.arbiter_of(claim_->full_key, r.yes | r.no);
    return r;
}

time::instant contest::keep_until(const core::round_result& r) {
    return r.arbiter ? rule_.keep_until(round_.sent_at(), quorum_.random()) : time::instant::max();
}

step contest::round_decided() {
    core::round_result r = result();
    if (planted(core::mistake::arbiter_grants) && r.arbiter && r.yes.has(*r.arbiter))
        r.votes = core::verdict::granted;
    r.has_token =
        !fencing_ || has_proposed_token() || (planted(core::mistake::old_token_counts) && has_token());
    const step next = rule_.decided(r, quorum_.now(), watch() != nullptr, keep_until(r));
    if (next.what != action::take && next.what != action::get_token) note_refusal();
    quorum_.counts().kept_votes += rule_.keeps_votes();
    if (!rule_.keeps_votes() && next.what != action::get_token) leave_window();
    return next;
}

bool contest::take_grant() {
    const std::uint64_t fencing_token = fence() ? fence()->token() : claim_->proposal();
    queue_stand* const queued = stand();
    engine::grant given{.claim = std::move(claim_),
                        .sent_at = queued ? queued->lives_from() : round_.sent_at(),
                        .ttl = queued ? first_ttl() : ttl_,
                        .fencing_token = fencing_token,
                        .had_to_wait = queued || watch()};
    if (!listener_.takes(std::move(given))) {
        claim_ = own(std::move(given.claim));
        return false;
    }
    quorum_.counts().directed_handovers += queued != nullptr;
    if (queued) std::exchange(waiting_->stand, nullptr)->close();
    if (watch() && watch()->losses() == 0) quorum_.contests().won(watch()->watched().full_key);
    stop_watching();
    return true;
}

void contest::note_refusal() noexcept {
    const core::contender::refusal& why = rule_.why_refused();
    counters& counts = quorum_.counts();
    const bool late = stand() || (round_.verdict() == core::verdict::granted && has_token());
    if (!late) ++(why.reached ? counts.refusals : counts.no_quorum);
    counts.split_votes += why.split;
    if (!stand() && round_.verdict() == core::verdict::refused) {
        if (why.lost_race)
            quorum_.contests().lost_race(claim_->full_key, quorum_.now());
        else if (rule_.waits())
            quorum_.contests().refused(claim_->full_key, quorum_.now());
    }
    if (observer* o = quorum_.observer()) o->refused(claim_->key(), make_error_code(why.why));
}

void contest::release_votes() noexcept {
    if (stand()) {
        claim_ = stand()->claim(); // so that it is never written again
        std::exchange(waiting_->stand, nullptr)->give_up();
    }
    if (watch()) watch()->sight().give_way();
    core::node_set nodes = round_.take_votes();
    if (planted(core::mistake::late_success_kept)) nodes &= round_.votes().who(core::vote::yes);
    const time::instant heard = round_.last_sent_at() + quorum_.node_timeout();
    if (!nodes.empty())
        release::start(quorum_, claim_, nodes,
                       core::saturating_add(heard, core::saturating_nanoseconds(life_)));
    leave_window();
}

void contest::tell_refusal(errc why) noexcept {
    if (!round_.has_begun()) return listener_.not_granted(why, nullptr);
    const bool wants_token = fence() && fence()->verdict() == core::verdict::unreachable &&
                             round_.verdict() != core::verdict::unreachable;
    const round& last = wants_token ? static_cast<const round&>(*fence()) : round_;
    const round_failure more(quorum_, last, wants_token ? "agreed on a fencing token for" : nullptr);
    listener_.not_granted(why, &more);
}

void contest::finish() noexcept {
    leave_window();
    engine::contest_listener& listener = listener_;
    unlink();
    claim_.reset();
    waiting_.reset();
    round_.note_in(nullptr);
    round_.detach(); // it was the last statement of the contest, perhaps
    listener.contest_over();
}

} // namespace redlock::redis
