#include "engines/etcd/errands.hpp"

#include "core/validity.hpp"
#include "engines/etcd/etcd_engine.hpp"

#include <fmt/format.h>

#include <cassert>

namespace redlock::etcd {

std::string cluster_failure::describe(std::string_view done) const {
    return fmt::format("the etcd cluster has not {}: {}", done, sentence_);
}

renewal::renewal(etcd_engine& by, claim_pointer held, std::chrono::milliseconds life, kind k,
                 engine::renewal_listener& told)
    : operation(by.turns().ready()),
      engine_(by),
      claim_(std::move(held)),
      life_(life),
      kind_(k),
      asked_at_(by.turns().now()),
      told_(&told) {}

void renewal::start() {
    await(1);
    if (!claim_->held) return decide(engine::outcome::gone, asked_at_);
    holding& held = *claim_->held;
    held.until = core::saturating_add(asked_at_, core::saturating_nanoseconds(life_));
    const bool is_shared = held.under()->is_shared();
    if (kind_ == kind::keep) return move_under(engine_.leases().own(life_));
    if (held.under()->ttl() != server_ttl_for(life_))
        return move_under(is_shared ? engine_.leases().shared(life_) : engine_.leases().own(life_));
    held.watch();
    held.state_again();
    if (held.under()->is_fresh(asked_at_))
        return decide(engine::outcome::confirmed, held.under()->sent_at(asked_at_, life_));
    held.under()->join(*this);
    engine_.keeper().refresh(*held.under());
}

void renewal::move_under(server_lease_pointer target) {
    target_ = std::move(target);
    target_->join(*this);
    if (target_->is_fresh(asked_at_)) return send_move();
    if (target_->was_granted()) target_->hurry();
    engine_.keeper().look();
}

void renewal::send_move() {
    is_moving_ = true;
    const holding& held = *claim_->held;
    engine_.line().submit(*new inquiry(
        methods::txn, move_request(held.where, engine_.value_of(held.fencing_token), target_->id()),
        [this](const result& r) { moved(r); }));
}

void renewal::moved(const result& r) {
    is_moving_ = false;
    move_out();
    const done how = r.failed ? done{} : read_done(r.response);
    // It may live under that one by now.
    if (!target_->is_shared() && how.what != done::kind::key_was_gone) target_->runs_out(true);
    if (how.what == done::kind::unreadable && claim_->held) claim_->held->may_have_moved = true;
    if (how.what == done::kind::unreadable)
        decide(engine::outcome::inconclusive, {}, r.failed ? r.failed->why : errc::protocol_error);
    else if (how.what == done::kind::key_was_gone || !claim_->held)
        decide(engine::outcome::gone, asked_at_);
    else
        has_moved(*claim_->held, how.revision);
    if (!told_) delete this;
}

void renewal::has_moved(holding& held, messages::revision at) {
    held.where.modified = at;
    held.shows_token = held.fencing_token != 0;
    held.moved_under(target_);
    decide(engine::outcome::confirmed, target_->sent_at(asked_at_, life_));
    if (kind_ == kind::keep) claim_->held.reset();
}

void renewal::lease_lives() noexcept {
    if (is_moving_ || pending(1)) return;
    if (!claim_->held) return decide(engine::outcome::gone, asked_at_);
    if (target_) return send_move();
    decide(engine::outcome::confirmed, claim_->held->under()->sent_at(asked_at_, life_));
}

void renewal::lease_failed(errc why) noexcept {
    if (!is_moving_) decide(engine::outcome::inconclusive, {}, why);
}

void renewal::lease_is_lost() noexcept {
    if (is_moving_) return;
    if (target_) return decide(engine::outcome::inconclusive, {}, errc::node_unavailable);
    decide(engine::outcome::gone, asked_at_);
}

void renewal::decide(engine::outcome how, core::instant sent_at, errc why) noexcept {
    move_out();
    outcome_ = how;
    sent_at_ = sent_at;
    why_ = why;
    raise(1);
}

// Whoever asked may let go of this when it is told.
void renewal::events_came() {
    const auto more = outcome_ == engine::outcome::inconclusive ? engine_.failure_of(why_) : nullptr;
    is_telling_ = true;
    if (told_) told_->renewal_decided(outcome_, sent_at_, told_as(why_), more.get());
    is_telling_ = false;
    if (!told_) delete this;
}

void renewal::let_go() noexcept {
    told_ = nullptr;
    if (is_telling_) return;
    if (!is_moving_)
        delete this;
    else
        engine_.forsake(*this);
}

token_advance::token_advance(etcd_engine& by, claim_pointer held, engine::token_listener& told)
    : operation(by.turns().ready()), engine_(by), claim_(std::move(held)), told_(&told) {}

void token_advance::start() {
    await(1);
    if (!claim_->held) return decide(engine::outcome::gone, 0);
    is_sent_ = true;
    const holding& held = *claim_->held;
    // A value that shows the last token is not to show it any more.
    std::string request = held.shows_token
                              ? advance_request(held.where, engine_.value_of(0), held.under()->id())
                              : advance_request(held.where);
    engine_.line().submit(
        *new inquiry(methods::txn, std::move(request), [this](const result& r) { answered(r); }));
}

void token_advance::answered(const result& r) {
    is_sent_ = false;
    const auto revision =
        r.failed || !claim_->held ? std::nullopt : read_advanced(r.response, claim_->held->where);
    if (!claim_->held || revision == 0) {
        decide(engine::outcome::gone, 0);
    } else if (!revision) {
        decide(engine::outcome::inconclusive, 0, r.failed ? r.failed->why : errc::protocol_error);
    } else {
        holding& held = *claim_->held;
        held.where.modified = *revision;
        held.fencing_token = static_cast<std::uint64_t>(*revision);
        held.shows_token = false;
        decide(engine::outcome::confirmed, held.fencing_token);
    }
    if (!told_) delete this;
}

void token_advance::decide(engine::outcome how, std::uint64_t token, errc why) noexcept {
    outcome_ = how;
    token_ = token;
    why_ = why;
    raise(1);
}

void token_advance::events_came() {
    const auto more = outcome_ == engine::outcome::inconclusive ? engine_.failure_of(why_) : nullptr;
    is_telling_ = true;
    if (told_) told_->token_decided(outcome_, token_, told_as(why_), more.get());
    is_telling_ = false;
    if (!told_) delete this;
}

void token_advance::let_go() noexcept {
    told_ = nullptr;
    if (is_telling_) return;
    if (!is_sent_)
        delete this;
    else
        engine_.forsake(*this);
}

release::release(etcd_engine& by, stand&& s, server_lease_pointer under, bool unwritten, bool lost,
                 turn::outcome_waiters&& told, unsigned tries)
    : call(methods::txn, unwritten ? bury_request(s, under->id()) : remove_request(s)),
      engine_(by),
      where_(std::move(s)),
      under_(std::move(under)),
      unwritten_(unwritten),
      lost_(lost),
      tries_(tries) {
    told_.swap(told);
    if (!told_.empty() && !under_->is_over()) under_->join(*this);
}

bool release::outlasts_connection() const noexcept {
    return told_.empty() && !engine_.has_left() && !under_->is_over();
}

void release::answered(std::string_view response, core::instant) noexcept {
    const done how = read_done(response);
    if (how.what == done::kind::unreadable) return failed({.why = errc::protocol_error, .in_doubt = true});
    over(lost_ || how.what == done::kind::key_was_gone ? errc::lease_lost : errc{});
}

void release::over(errc how) noexcept {
    const std::unique_ptr<release> until_told(this);
    if (unwritten_) under_->bury();
    under_->runs_out(false);
    engine_.keeper().look();
    turn::answer(told_, turn::code_of(how));
}

void release::failed(const failure& why) noexcept {
    // Without the lease there is no key, nor will there be one.
    if (why.status == status_code::not_found) return over(errc::lease_lost);
    const std::unique_ptr<release> until_told(this);
    const auto more = engine_.failure_of(why.why, why.text);
    const bool may_pass = told_as(why.why) == errc::no_quorum;
    if (!under_->is_over() && !engine_.has_left() && (may_pass || tries_ > 1) && !engine_.gives_up())
        engine_.line().submit(*new release(engine_, std::move(where_), under_, unwritten_, lost_, {},
                                           may_pass ? tries_ : tries_ - 1));
    turn::answer_all(told_, turn::code_of(errc::no_quorum), *more);
}

} // namespace redlock::etcd
