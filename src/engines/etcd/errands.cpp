#include "engines/etcd/errands.hpp"

#include "core/validity.hpp"
#include "engines/etcd/admission.hpp"
#include "engines/etcd/etcd_engine.hpp"

#include <fmt/format.h>

#include <cassert>

namespace redlock::etcd {

std::string cluster_failure::describe(std::string_view done) const {
    return fmt::format("the etcd cluster has not {}: {}", done, sentence_);
}

void renewal::start() {
    begin();
    if (!held().held) return decide(engine::outcome::gone, asked_at());
    holding& key = *held().held;
    key.until = core::saturating_add(asked_at(), core::saturating_nanoseconds(life()));
    if (kind_ == kind::keep) return move_under(by().leases().own(life()));
    if (key.under()->ttl() != server_ttl_for(life()) || key.under()->is_outlived()) return move();
    key.watch();
    key.state_again();
    if (key.under()->is_fresh(asked_at())) return do_it();
    wait_for(*key.under());
    by().keeper().refresh(*key.under());
}

void renewal::move() {
    const bool is_shared = held().held->under()->is_shared();
    move_under(is_shared ? by().leases().shared(life()) : by().leases().own(life()));
}

void renewal::move_under(server_lease_pointer target) {
    target_ = std::move(target);
    do_under(target_);
}

void renewal::do_it() {
    if (target_) return send_move();
    if (held().held->under()->is_outlived()) return move();
    decide(engine::outcome::confirmed, held().held->under()->sent_at(asked_at(), life()));
}

void renewal::send_move() {
    was_sent();
    const holding& key = *held().held;
    by().line().submit(*new inquiry(methods::txn,
                                    move_request(key.where, by().value_of(key.fencing_token), target_->id()),
                                    [this](const result& r) { moved(r); }));
}

void renewal::moved(const result& r) {
    was_answered();
    const done how = r.failed ? done{} : read_done(r.response);
    // It may live under that one by now.
    if (!target_->is_shared() && how.what != done::kind::key_was_gone) target_->runs_out(true);
    if (how.what == done::kind::unreadable && held().held) held().held->in_doubt_under(target_);
    if (how.what == done::kind::unreadable)
        decide(engine::outcome::inconclusive, {}, r.failed ? r.failed->why : errc::protocol_error);
    else if (how.what == done::kind::key_was_gone || !held().held || target_->is_over())
        decide(engine::outcome::gone, asked_at());
    else
        has_moved(*held().held, how.revision);
    end_if_forsaken();
}

void renewal::has_moved(holding& key, messages::revision at) {
    key.where.modified = at;
    key.shows_token = key.fencing_token != 0;
    key.moved_under(target_);
    decide(engine::outcome::confirmed, target_->sent_at(asked_at(), life()));
    if (kind_ == kind::keep) held().held.reset();
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

namespace {

messages::operation_kind operation_of(release::kind how) {
    return how == release::kind::of_key ? messages::operation_kind::removal
                                        : messages::operation_kind::transaction;
}

std::string removal_request(release::kind how, const stand& s, const server_lease& under) {
    switch (how) {
    case release::kind::of_key:
        return erase_request(s);
    case release::kind::with_leader:
        return remove_request(s);
    case release::kind::of_try:
        break;
    }
    return bury_request(s, under.id());
}

} // namespace

release::release(etcd_engine& by, stand&& s, server_lease_pointer under, kind how, bool lost,
                 turn::outcome_waiters&& told, unsigned tries)
    : joint_part(operation_of(how), removal_request(how, s, *under)),
      admission_place(by.releases()),
      engine_(by),
      where_(std::move(s)),
      under_(std::move(under)),
      how_(how),
      lost_(lost),
      tries_(tries) {
    told_.swap(told);
    if (!told_.empty() && !under_->is_over()) under_->join(*this);
}

bool release::begins() {
    if (!enter()) return false;
    let_in();
    return true;
}

void release::let_in() noexcept {
    turn::list_hook::unlink();
    asked_at_ = engine_.turns().now();
    engine_.joint().remove(*this);
}

void release::begin_at_once() noexcept {
    leave();
    let_in();
}

bool release::outlasts_connection() const noexcept {
    return told_.empty() && !engine_.has_left() && !under_->is_over();
}

void release::answered(std::string_view response, core::instant) noexcept {
    const done how = how_ == kind::of_key ? read_erased(response) : read_done(response);
    if (how.what == done::kind::unreadable) return failed({.why = errc::protocol_error, .in_doubt = true});
    window().answered(asked_at_, engine_.turns().now());
    if (where_.name && how_ != kind::of_try) where_.name->give_back();
    over(lost_ || how.what == done::kind::key_was_gone ? errc::lease_lost : errc{});
}

void release::over(errc how) noexcept {
    const std::unique_ptr<release> until_told(this);
    if (how_ == kind::of_try) under_->bury();
    under_->runs_out(false);
    engine_.keeper().look();
    turn::answer(told_, turn::code_of(how));
}

void release::failed(const failure& why) noexcept {
    learn(window(), why, asked_at_, engine_.turns().now());
    leave();
    // Without the lease there is no key, nor will there be one.
    if (why.status == status_code::not_found) return over(errc::lease_lost);
    const std::unique_ptr<release> until_told(this);
    const auto more = engine_.failure_of(why.why, why.text);
    const bool may_pass = told_as(why.why) == errc::no_quorum;
    where_.name.reset(); // this one may arrive behind the next
    if (!under_->is_over() && !engine_.has_left() && (may_pass || tries_ > 1) && !engine_.gives_up())
        engine_.send(*new release(engine_, std::move(where_), under_, how_, lost_, {},
                                  may_pass ? tries_ : tries_ - 1));
    turn::answer_all(told_, turn::code_of(errc::no_quorum), *more);
}

} // namespace redlock::etcd
