#include "engines/sql/contest.hpp"

#include "core/validity.hpp"
#include "engines/sql/errands.hpp"
#include "engines/sql/table_engine.hpp"

#include <redlock/observer.hpp>

#include <algorithm>
#include <utility>

namespace redlock::sql {

using action = contender::action;

void acquire_request::let_go() noexcept {
    contest_ = nullptr;
    if (!sent) delete this;
}

void acquire_request::answered(const reply& r) noexcept {
    const std::unique_ptr<request> until_told(this);
    const bool may_have_it =
        r.what == reply::kind::unknown || (r.what == reply::kind::done && contest_ == nullptr);
    if (may_have_it) engine_.give_back(of, core::saturating_add(engine_.turns().now(), life));
    if (contest_) contest_->answer(r);
}

contest::contest(table_engine& by, engine::wish&& w, engine::contest_listener& listener)
    : operation(by.turns().ready()),
      engine_(by),
      listener_(listener),
      wish_(std::move(w)),
      contender_(wish_.waits, wish_.wait_until),
      claim_(own(wish_.claim)) {
    by.contests().push_back(*this);
}

contest::~contest() {
    if (request_) request_->let_go();
}

void contest::start() { perform(contender_.start(engine_.turns().now(), wish_.not_before)); }

void contest::answer(const reply& r) noexcept {
    request_ = nullptr;
    reply_ = r;
    raise(answer_came);
}

void contest::listening(bool is_told) noexcept {
    is_told_ = is_told;
    raise(told);
}

void contest::events_came() {
    const unsigned events = take(answer_came | told | time_has_passed | ends);
    if (events & ends) {
        // What has just come is not told to anybody any more.
        if (reply_ && reply_->what == reply::kind::done)
            engine_.give_back(claim_, core::saturating_add(engine_.turns().now(), wish_.life));
        return refuse(why_ended_);
    }
    perform(next(events));
}

// An answer first: what was heard of releases may be newer.
contest::step contest::next(unsigned events) {
    const core::instant now = engine_.turns().now();
    if (events & told) raise(told);
    if (events & answer_came) return judge(*std::exchange(reply_, std::nullopt));
    if (events & told) {
        forget(told);
        if (is_told_) return contender_.listening(*std::exchange(is_told_, std::nullopt));
        return contender_.told();
    }
    if (contender_.asks()) return {.what = action::go_on};
    return contender_.time_passed(now);
}

contest::step contest::judge(const reply& r) {
    const core::instant now = engine_.turns().now();
    count(r);
    failure_ = r.why;
    verdict v{.what = verdict::kind::failed, .ends_in = r.ends_in, .why = told_as(r.why)};
    const bool granted = r.what == reply::kind::done && engine_.table().still_has(*claim_);
    if (granted) v.what = verdict::kind::granted;
    if (r.what == reply::kind::done && !granted) v.why = failure_ = errc::no_quorum;
    if (r.what == reply::kind::refused) v.what = verdict::kind::held;
    if (r.what == reply::kind::busy) v.what = verdict::kind::busy;
    if (v.what == verdict::kind::granted) reply_ = r;
    return contender_.answered(v, now, engine_.turns().random());
}

void contest::count(const reply& r) {
    if (r.what == reply::kind::done) return;
    const bool refused = r.what == reply::kind::refused || r.what == reply::kind::busy;
    engine_.count_refusal(refused);
    if (observer* o = engine_.observer())
        o->refused(claim_->key(), make_error_code(refused ? errc::held : told_as(r.why)));
}

void contest::perform(step s) {
    if (s.what != action::go_on) {
        disarm();
        forget(time_has_passed);
    }
    switch (s.what) {
    case action::take:
        return take_grant();
    case action::end:
        return refuse(s.why);
    case action::ask:
        ask();
        break;
    case action::listen:
        return listen(s.until);
    case action::sleep:
        if (contender_.has_waited()) listener_.others_have_it(*claim_);
        engine_.turns().timers().arm(*this, s.until);
        break;
    case action::go_on:
        break;
    }
    await(answer_came | told | time_has_passed | ends);
}

void contest::ask() {
    if (!std::exchange(first_try_, false)) claim_ = engine_.claim_anew(*claim_);
    request_ = new acquire_request(*this, engine_, claim_, wish_.life);
    engine_.table().submit(*request_);
}

void contest::listen(core::instant until) {
    using watched = wakes::watched;
    const watched how = engine_.waiting().watch(*this);
    if (how != watched::soon) return perform(contender_.listening(how == watched::heard));
    listener_.others_have_it(*claim_);
    engine_.turns().timers().arm(*this, until);
    await(answer_came | told | time_has_passed | ends);
}

void contest::take_grant() {
    const reply r = *std::exchange(reply_, std::nullopt);
    const claim_pointer taken = claim_;
    engine::grant given{.claim = taken,
                        .sent_at = r.sent_at,
                        .ttl = wish_.ttl,
                        .fencing_token = wish_.fencing ? r.fencing_token : 0,
                        .had_to_wait = contender_.has_waited()};
    const bool complete = !wish_.fencing || r.fencing_token != 0;
    if (complete && listener_.takes(std::move(given))) return over();
    const core::instant now = engine_.turns().now();
    engine_.give_back(taken, core::saturating_add(now, wish_.life));
    perform(contender_.came_too_late(now, engine_.turns().random()));
}

void contest::refuse(errc why) {
    const bool by_database = failure_ != errc{} && told_as(failure_) == why;
    const auto more = by_database ? engine_.failure_of(failure_) : nullptr;
    listener_.not_granted(why, more.get());
    over();
}

void contest::over() noexcept {
    engine::contest_listener& listener = listener_;
    delete this;
    listener.contest_over();
}

void contest::cancel(errc why) noexcept {
    why_ended_ = why;
    raise(ends);
}

} // namespace redlock::sql
