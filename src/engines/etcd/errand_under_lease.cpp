#include "engines/etcd/errand_under_lease.hpp"

#include "engines/etcd/etcd_engine.hpp"

#include <utility>

namespace redlock::etcd {

errand_under_lease::errand_under_lease(etcd_engine& by, claim_pointer held, std::chrono::milliseconds life,
                                       engine::renewal_listener& told)
    : operation(by.turns().ready()),
      engine_(by),
      held_(std::move(held)),
      life_(life),
      asked_at_(by.turns().now()),
      told_(&told) {}

void errand_under_lease::do_under(const server_lease_pointer& lease) {
    wait_for(*lease);
    if (lease->is_fresh(asked_at_)) return do_it();
    if (lease->was_granted()) lease->hurry();
    engine_.keeper().look();
}

void errand_under_lease::lease_lives() noexcept {
    if (is_sent_ || pending(1)) return;
    if (!held_->held) return decide(engine::outcome::gone, asked_at_);
    do_it();
}

void errand_under_lease::lease_failed(errc why) noexcept {
    if (!is_sent_ && !pending(1)) decide(engine::outcome::inconclusive, {}, why);
}

// Where the key was under it, too, the engine says so to whoever holds that.
void errand_under_lease::lease_is_lost() noexcept {
    if (is_sent_ || pending(1)) return;
    if (is_gone_with_lease()) return decide(engine::outcome::gone, asked_at_);
    decide(engine::outcome::inconclusive, {}, errc::node_unavailable);
}

void errand_under_lease::decide(engine::outcome how, core::instant sent_at, errc why) noexcept {
    move_out();
    outcome_ = how;
    sent_at_ = sent_at;
    why_ = why;
    raise(1);
}

// Whoever asked may let go of this when it is told.
void errand_under_lease::events_came() {
    const auto more = outcome_ == engine::outcome::inconclusive ? engine_.failure_of(why_) : nullptr;
    is_telling_ = true;
    if (told_) told_->renewal_decided(outcome_, sent_at_, told_as(why_), more.get());
    is_telling_ = false;
    end_if_forsaken();
}

void errand_under_lease::let_go() noexcept {
    told_ = nullptr;
    if (is_telling_) return;
    if (is_sent_)
        engine_.forsake(*this);
    else
        delete this;
}

} // namespace redlock::etcd
