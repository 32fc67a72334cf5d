#include "engines/etcd/errands.hpp"

#include "core/validity.hpp"
#include "engines/etcd/admission.hpp"
#include "engines/etcd/etcd_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace redlock::etcd {

namespace {

// What else writes a key that is held are a token for the next holder, and a move.
constexpr unsigned most_repetitions = 3;

} // namespace

std::string cluster_failure::describe(std::string_view done) const {
    return fmt::format("the etcd cluster has not {}: {}", done, sentence_);
}

void renewal::start() {
    begin();
    if (!held().held) return decide(engine::outcome::gone, asked_at());
    holding& key = *held().held;
    key.until = core::saturating_add(asked_at(), core::saturating_nanoseconds(life()));
    if (kind_ == kind::keep) return move_under(by().leases().own(life()));
    if (needs_move(key)) return move();
    key.watch();
    key.state_again();
    if (key.under()->is_fresh(asked_at())) return do_it();
    wait_for(*key.under());
    by().keeper().refresh(*key.under());
}

bool renewal::needs_move(const holding& key) const {
    return key.under()->ttl() != server_ttl_for(life()) || key.under()->is_outlived() || key.is_in_doubt();
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
    holding& key = *held().held;
    is_new_ = key.in_doubt_under(target_) || is_new_;
    token_ = key.fencing_token;
    by().line().submit(*new inquiry(methods::txn,
                                    move_request(key.where, by().value_of(token_), target_->id()),
                                    [this](const result& r) { moved(r); }));
}

void renewal::moved(const result& r) {
    was_answered();
    if (held().held) {
        judge(*held().held, r);
    } else {
        if (!target_->is_shared()) target_->runs_out(true);
        decide(engine::outcome::gone, asked_at());
    }
    end_if_forsaken();
}

void renewal::judge(holding& key, const result& r) {
    const rewritten how = r.failed ? rewritten{} : read_rewritten(r.response, key.where);
    const bool is_not_there = r.failed ? !r.failed->in_doubt : how.what == rewritten::kind::written_since;
    if (is_not_there && std::exchange(is_new_, false)) key.not_under(*target_);
    switch (how.what) {
    case rewritten::kind::carried_out:
        return has_moved(key, how.revision);
    case rewritten::kind::key_was_gone:
        return decide(engine::outcome::gone, asked_at());
    case rewritten::kind::written_since:
        key.was_written(how.revision,
                        how.shown_token != 0 ? how.shown_token : static_cast<std::uint64_t>(how.revision));
        if (is_awaited() && moves_++ < most_repetitions) return send_move();
        return decide(engine::outcome::inconclusive, {}, errc::protocol_error);
    case rewritten::kind::unreadable:
        break;
    }
    if (kind_ == kind::keep && !target_->is_shared()) target_->runs_out(true);
    if (r.failed && r.failed->status == status_code::not_found) by().keeper().lost(*target_);
    decide(engine::outcome::inconclusive, {}, r.failed ? r.failed->why : errc::protocol_error);
}

void renewal::has_moved(holding& key, messages::revision at) {
    key.was_written(at, token_);
    if (target_->is_over()) return decide(engine::outcome::gone, asked_at());
    key.moved_under(target_);
    decide(engine::outcome::confirmed, target_->sent_at(asked_at(), life()));
    if (kind_ == kind::keep) held().held.reset();
}

token_advance::token_advance(etcd_engine& by, claim_pointer held, engine::token_listener& told)
    : operation(by.turns().ready()), engine_(by), claim_(std::move(held)), told_(&told) {}

void token_advance::start() {
    await(1);
    if (!claim_->held) return decide(engine::outcome::gone, 0);
    send();
}

void token_advance::send() {
    is_sent_ = true;
    const holding& held = *claim_->held;
    // A value that shows the last token is not to show it any more.
    std::string request =
        held.shows_token ? advance_request(held.where, engine_.value_of(0)) : advance_request(held.where);
    engine_.line().submit(
        *new inquiry(methods::txn, std::move(request), [this](const result& r) { answered(r); }));
}

void token_advance::answered(const result& r) {
    is_sent_ = false;
    if (claim_->held)
        judge(*claim_->held, r);
    else
        decide(engine::outcome::gone, 0);
    if (!told_ && !is_sent_) delete this;
}

// What was written since by an advance, whose answer was lost, is one. A move shows the token of before.
void token_advance::judge(holding& held, const result& r) {
    using kind = rewritten::kind;
    const rewritten how = r.failed ? rewritten{} : read_rewritten(r.response, held.where);
    if (how.what == kind::key_was_gone) return decide(engine::outcome::gone, 0);
    if (how.what == kind::unreadable)
        return decide(engine::outcome::inconclusive, 0, r.failed ? r.failed->why : errc::protocol_error);
    if (how.shown_token != 0) {
        held.was_written(how.revision, how.shown_token);
        if (told_ && sendings_++ < most_repetitions) return send();
        return decide(engine::outcome::inconclusive, 0, errc::protocol_error);
    }
    const auto token = static_cast<std::uint64_t>(how.revision);
    held.was_written(how.revision, token);
    decide(engine::outcome::confirmed, token);
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

bool release::is_over() const noexcept {
    return under_->is_over() &&
           std::ranges::all_of(where_.others, [](const auto& each) { return each->is_over(); });
}

bool release::outlasts_connection() const noexcept {
    return told_.empty() && !engine_.has_left() && !is_over();
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
    for (const server_lease_pointer& each : where_.others)
        each->runs_out(false);
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
    if (!is_over() && !engine_.has_left() && (may_pass || tries_ > 1) && !engine_.gives_up())
        engine_.send(*new release(engine_, std::move(where_), under_, how_, lost_, {},
                                  may_pass ? tries_ : tries_ - 1));
    turn::answer_all(told_, turn::code_of(errc::no_quorum), *more);
}

} // namespace redlock::etcd
