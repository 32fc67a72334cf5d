#include "engines/memory/contest.hpp"

#include <redlock/observer.hpp>

#include <algorithm>
#include <utility>

namespace redlock::memory {

// Callers of other clients have a place in the queue: nobody has to hold off for their sake.
contest::contest(memory_engine& by, engine::wish&& w, engine::contest_listener& listener)
    : operation(by.turns().ready()),
      seeker(by.box(), own(*w.claim).number, w.claim->full_key, w.life, w.fencing, w.claim->mode()),
      engine_(by),
      listener_(listener),
      claim_(std::move(w.claim)),
      ttl_(w.ttl),
      waits_(w.waits),
      wait_until_(w.wait_until) {
    by.contests().push_back(*this);
}

contest::~contest() { engine_.keys().give_up(*this); }

void contest::start() {
    const errc outcome = engine_.keys().seek(*this, waits_);
    if (outcome == errc{}) return take();
    engine_.count_refusal(outcome);
    if (observer* o = engine_.observer()) o->refused(claim_->key(), make_error_code(outcome));
    if (!in_queue) return refuse(outcome);
    had_to_wait_ = true;
    wait();
}

void contest::wait() {
    listener_.others_have_it(*claim_);
    // A holder that died tells nobody.
    engine_.turns().timers().arm(*this, std::min(wait_until_, engine_.keys().until(key)));
    await(key_is_here | time_passed | ends);
}

void contest::events_came() noexcept {
    disarm();
    forget(time_passed);
    if (pending(ends)) {
        if (engine_.keys().give_up(*this)) engine_.keys().release(key, claim);
        return refuse(why_ended_);
    }
    if (pending(begins_anew)) {
        forget(begins_anew);
        return start();
    }
    if (pending(key_is_here)) return take();
    if (engine_.turns().now() < wait_until_) return wait();
    if (engine_.keys().give_up(*this)) return take();
    refuse(errc::wait_timeout);
}

void contest::take() {
    const engine::claim_pointer names_the_key = claim_;
    engine::grant given{.claim = std::move(claim_),
                        .sent_at = since,
                        .ttl = ttl_,
                        .fencing_token = fencing_token,
                        .had_to_wait = had_to_wait_};
    if (listener_.takes(std::move(given))) return over();
    engine_.keys().release(key, claim);
    if (!waits_ || engine_.turns().clock().now() >= wait_until_) return refuse(errc::no_quorum);
    begin_anew(*names_the_key);
}

// With a claim of its own, for news of the old one may still come.
void contest::begin_anew(const engine::claim& before) {
    const auto another = engine_.claim_anew(own(before));
    claim = another->number;
    key = another->full_key;
    claim_ = another;
    has_it = false;
    forget(key_is_here);
    raise(begins_anew);
    await(begins_anew | ends);
}

void contest::refuse(errc why) {
    listener_.not_granted(why, nullptr);
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

} // namespace redlock::memory
