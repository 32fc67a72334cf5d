#include "engines/etcd/contest/contest.hpp"

#include "core/validity.hpp"
#include "engines/etcd/admission.hpp"
#include "engines/etcd/contest/acquire_call.hpp"
#include "engines/etcd/errands.hpp"
#include "engines/etcd/etcd_engine.hpp"

#include <redlock/observer.hpp>

#include <utility>

namespace redlock::etcd {

using action = place::action;

contest::contest(etcd_engine& by, engine::wish&& w, engine::contest_listener& listener)
    : operation(by.turns().ready()),
      admission_place(by.grants()),
      engine_(by),
      listener_(listener),
      wish_(std::move(w)),
      place_(wish_.waits, wish_.wait_until),
      claim_(own(wish_.claim)) {
    by.contests().push_back(*this);
}

contest::~contest() {
    if (call_) call_->let_go();
    if (inquiry_) inquiry_->let_go();
    // The lease may have been for this alone.
    engine_.keeper().look();
}

// Callers of other clients have their places: nobody has to hold off for their sake.
void contest::start() { perform(place_.start()); }

void contest::answer(const stand_answer& a, core::instant sent_at) noexcept {
    call_ = nullptr;
    answer_ = a;
    window().answered(asked_at_, engine_.turns().now());
    asked_at_ = sent_at;
    leave();
    raise(answer_came);
}

void contest::failed(const stand_answer& a, const failure& why) noexcept {
    call_ = nullptr;
    answer_ = a;
    learn(window(), why, asked_at_, engine_.turns().now());
    leave();
    raise(answer_came);
}

void contest::events_came() {
    const unsigned events = take(all);
    if (!(events & ends)) return perform(next(events));
    if (move_ && move_->is_sent) arrive(false);
    // What has just come is not told to anybody any more.
    if (answer_ && place_.asks()) {
        where_.created = answer_->created != 0 ? answer_->created : where_.created;
        const bool has_key =
            answer_->said.what == verdict::kind::first || answer_->said.what == verdict::kind::behind;
        if (answer_->said.what == verdict::kind::unknown && where_.created == 0)
            clean_up(place::remains::unknown);
        else if (has_key || place_.left_behind() == place::remains::key)
            clean_up(place::remains::key);
    } else {
        clean_up(place_.left_behind());
    }
    refuse(why_ended_);
}

// One after the other. The loss of the lease first, for then the rest is of no matter.
contest::step contest::next(unsigned events) {
    const core::instant now = engine_.turns().now();
    const auto put_off = [&](unsigned one) { raise(events & ~one); };
    if (events & lease_is_gone) {
        put_off(lease_is_gone);
        return lease_lost();
    }
    if (events & answer_came) {
        put_off(answer_came);
        return judge();
    }
    if (events & move_goes_on) {
        put_off(move_goes_on);
        return next_of_move();
    }
    if (events & may_ask) {
        put_off(may_ask);
        return place_.let_in(now, engine_.turns().random());
    }
    if (events & lease_came) {
        put_off(lease_came);
        return lease_answered();
    }
    if (events & watch_has_begun) {
        put_off(watch_has_begun);
        return place_.watching();
    }
    if (events & is_deleted) {
        put_off(is_deleted);
        return place_.predecessor_gone();
    }
    return is_queued() ? place_.not_let_in() : place_.time_passed(now);
}

contest::step contest::judge() {
    const stand_answer a = *std::exchange(answer_, std::nullopt);
    count(a.said);
    failure_ = a.said.why;
    if (a.created != 0) where_.created = a.created;
    if (a.modified != 0) where_.modified = a.modified;
    if (a.said.what == verdict::kind::behind) predecessor_ = a.predecessor;
    verdict v = a.said;
    v.why = told_as(v.why);
    return place_.answered(v, lives_enough(), engine_.turns().now(), engine_.turns().random());
}

void contest::count(const verdict& v) {
    const bool is_look = v.what == verdict::kind::behind && place_.has_waited();
    if (v.what == verdict::kind::first || is_look) return;
    const bool refused = v.what == verdict::kind::held || v.what == verdict::kind::behind;
    engine_.count_refusal(refused);
    if (observer* o = engine_.observer())
        o->refused(claim_->key(), make_error_code(refused ? errc::held : told_as(v.why)));
}

void contest::perform(step s) {
    if (s.behind != place::remains::nothing) clean_up(s.behind);
    if (s.what != action::go_on) {
        disarm();
        forget(time_has_passed);
        if (has_to_queue(s)) return await(all);
    }
    switch (s.what) {
    case action::take:
        return take_grant();
    case action::end:
        return refuse(s.why);
    case action::get_lease:
        get_lease();
        break;
    case action::ask:
        ask();
        break;
    case action::confirm:
        confirm();
        break;
    case action::refresh:
        refresh();
        break;
    case action::watch:
        engine_.watches().watch(*this, predecessor_);
        [[fallthrough]];
    case action::wait:
        if (place_.has_waited()) listener_.others_have_it(*claim_);
        engine_.turns().timers().arm(*this, s.until);
        break;
    case action::go_on:
        break;
    }
    await(all);
}

/// Whoever has a place has been let in before, and those who wait behind it wait for what it does.
bool contest::has_to_queue(const step& s) {
    if (s.what != action::ask && s.what != action::confirm) {
        leave();
        return false;
    }
    if (is_inside() || enter(place_.left_behind() == place::remains::key)) return false;
    if (wish_.waits) engine_.turns().timers().arm(*this, wish_.wait_until);
    return true;
}

void contest::ask() {
    where_ = engine_.new_stand(*claim_);
    asked_at_ = engine_.turns().now();
    call_ = new acquire_call(*this, engine_, where_, under_, wish_.waits);
    engine_.joint().write(*call_);
}

void contest::confirm() {
    asked_at_ = engine_.turns().now();
    inquiry_ = new inquiry(methods::txn, confirm_request(where_, wish_.fencing && place_.has_waited()),
                           [this](const result& r) { confirmed(r); });
    engine_.line().submit(*inquiry_);
}

void contest::confirmed(const result& r) noexcept {
    inquiry_ = nullptr;
    if (r.failed) {
        engine_.note_failure(*r.failed);
        return failed({.said = {.what = verdict::kind::failed, .why = r.failed->why}}, *r.failed);
    }
    answer(read_confirmed(r.response, where_, wish_.fencing && place_.has_waited()), r.sent_at);
}

void contest::clean_up(place::remains behind) {
    if (behind == place::remains::nothing || !under_) return;
    if (behind == place::remains::key)
        engine_.give_back(where_, under_);
    else
        engine_.bury(where_, under_);
}

void contest::take_grant() {
    const core::instant now = engine_.turns().now();
    const claim_pointer taken = claim_;
    const std::uint64_t token = wish_.fencing ? static_cast<std::uint64_t>(where_.modified) : 0;
    engine::grant given{.claim = taken,
                        .sent_at = under_->sent_at(asked_at_, wish_.life),
                        .ttl = wish_.ttl,
                        .fencing_token = token,
                        .had_to_wait = place_.has_waited()};
    taken->held =
        std::make_unique<holding>(engine_, *taken, stand(where_), under_,
                                  core::saturating_add(now, core::saturating_nanoseconds(wish_.life)), token);
    if (listener_.takes(std::move(given))) return over();
    taken->held.reset();
    under_->runs_out(false);
    under_->join(*this);
    perform(place_.came_too_late(now));
}

void contest::refuse(errc why) {
    const bool by_cluster = failure_ != errc{} && told_as(failure_) == why;
    const auto more = by_cluster ? engine_.failure_of(failure_) : nullptr;
    listener_.not_granted(why, more.get());
    over();
}

void contest::over() noexcept {
    leave();
    engine::contest_listener& listener = listener_;
    delete this;
    listener.contest_over();
}

void contest::cancel(errc why) noexcept {
    why_ended_ = why;
    raise(ends);
}

} // namespace redlock::etcd
