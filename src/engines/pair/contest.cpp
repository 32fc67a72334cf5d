#include "engines/pair/contest.hpp"

#include "core/validity.hpp"
#include "engines/pair/pair_engine.hpp"

#include <memory>
#include <utility>

namespace redlock::pair {

using action = joint_acquisition::action;

contest::contest(pair_engine& by, engine::wish&& w, engine::contest_listener& listener)
    : operation(by.turns().ready()),
      engine_(by),
      listener_(listener),
      wish_(std::move(w)),
      claim_(own(wish_.claim)),
      rule_(wish_.waits, wish_.wait_until) {
    by.contests().push_back(*this);
}

contest::~contest() = default;

void contest::start() { perform(rule_.start()); }

// The last statement of whoever calls it: it may be the end of this.
void contest::perform(const step& s, const engine::failure* more) {
    if (s.gives_back_first) give_back_first();
    switch (s.what) {
    case action::ask_first:
        return ask_first();
    case action::ask_second:
        return ask_second(s.until);
    case action::withdraw_second:
        return withdraw(s.why);
    case action::pause:
        begin_anew();
        listener_.others_have_it(*claim_);
        engine_.turns().timers().arm(*this, s.until);
        return await(time_has_passed | ends);
    case action::take:
        return over();
    case action::end:
        listener_.not_granted(s.why, more);
        return over();
    }
}

void contest::ask(engine::engine& whom, engine::wish&& wanted) {
    engine::contest_listener& told = *this;
    inner_ = &whom.contend(std::move(wanted), told);
    inner_->start();
}

// With its whole life from the beginning: it may be some time until it is renewed. Tokens are of the second.
void contest::ask_first() {
    engine::wish wanted = wish_;
    wanted.claim = claim_->first;
    wanted.renews = false;
    wanted.fencing = false;
    wish_.not_before = core::instant::min(); // that is for the first try
    ask(engine_.first(), std::move(wanted));
}

void contest::ask_second(core::instant until) {
    engine::wish wanted = wish_;
    wanted.claim = claim_->second;
    wanted.wait_until = until;
    ask(engine_.second(), std::move(wanted));
}

void contest::withdraw(errc why) noexcept {
    if (inner_) inner_->cancel(why);
}

void contest::give_back_first() {
    engine_.give_back_first(std::move(first_->claim),
                            core::saturating_add(engine_.turns().now(), wish_.life));
    first_.reset();
}

// By claims of its own: what was given back is never written again.
void contest::begin_anew() { claim_ = engine_.claim_anew(*claim_, wish_.fencing); }

void contest::others_have_it(const engine::claim&) noexcept {
    if (!rule_.asks_first()) rule_.second_is_held();
    listener_.others_have_it(*claim_);
}

bool contest::takes(engine::grant&& given) noexcept {
    if (rule_.asks_first()) {
        waited_at_first_ = waited_at_first_ || given.had_to_wait;
        first_.emplace(std::move(given));
        next_ = rule_.first_granted({.sent_at = first_->sent_at, .ttl = first_->ttl});
        return true;
    }
    return rule_.wants_second() && takes_second(std::move(given));
}

// What is not taken is the second engine's to give back, so nothing of it is moved from before.
bool contest::takes_second(engine::grant&& given) {
    const step taken = rule_.second_granted({.sent_at = given.sent_at, .ttl = given.ttl});
    claim_pointer both = claim_;
    if (first_->claim != both->first || given.claim != both->second)
        both = std::allocate_shared<const claim>(detail::pool_allocator<claim>(), *claim_, first_->claim,
                                                 given.claim);
    engine::grant joint{.claim = std::move(both),
                        .sent_at = rule_.granted().sent_at,
                        .ttl = rule_.granted().ttl,
                        .fencing_token = given.fencing_token,
                        .had_to_wait = waited_at_first_ || given.had_to_wait};
    if (listener_.takes(std::move(joint))) {
        first_.reset();
        next_ = taken;
        return true;
    }
    perform(rule_.came_too_late());
    return false;
}

void contest::not_granted(errc why, const engine::failure* more) noexcept {
    const core::instant now = engine_.turns().now();
    core::random& draws = engine_.turns().random();
    step next =
        rule_.asks_first() ? rule_.first_refused(why, now, draws) : rule_.second_refused(why, now, draws);
    if (next.what != action::end) {
        next_ = next;
        return;
    }
    // Here, for what there is to say of it is gone afterwards.
    if (next.gives_back_first) give_back_first();
    is_told_ = true;
    listener_.not_granted(next.why, next.why == why ? more : nullptr);
}

void contest::contest_over() noexcept {
    inner_ = nullptr;
    if (is_told_) return over();
    const step next = *std::exchange(next_, std::nullopt);
    perform(next);
}

void contest::events_came() {
    disarm();
    if (pending(ends)) return perform(rule_.called_off(why_ended_));
    forget(time_has_passed);
    perform(rule_.time_passed(engine_.turns().now()));
}

void contest::over() noexcept {
    engine::contest_listener& listener = listener_;
    delete this;
    listener.contest_over();
}

void contest::cancel(errc why) noexcept {
    if (pending(ends)) return;
    why_ended_ = why;
    raise(ends);
    if (inner_) perform(rule_.called_off(why));
}

void contest::first_in_doubt() noexcept {
    if (inner_ && rule_.wants_second()) perform(rule_.first_in_doubt());
}

} // namespace redlock::pair
