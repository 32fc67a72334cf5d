#include "lease/acquire/acquire.hpp"

#include "core/mistake.hpp"
#include "lease/acquire/acquire_draining.hpp"
#include "lease/acquire/acquire_waiting.hpp"
#include "lease/held_lease.hpp"

#include <utility>

namespace redlock::lock {

acquire::acquire(const std::shared_ptr<lessee>& l, engine::claim_pointer c, const lock_options& options,
                 std::stop_source stop, acquire_listener& listener, counted as)
    : routine_operation(l->turns().ready()),
      lessee_(l),
      claim_(std::move(c)),
      terms_(terms_of(options, l->settings().drift)),
      stop_(std::move(stop)),
      listener_(listener),
      began_at_(l->now()),
      wait_until_(core::saturating_add(began_at_, terms_.wait)),
      is_part_(as == counted::part) {}

acquire::~acquire() = default;

void acquire::has_waited() noexcept { waits_since_ = lessee_->now(); }

void acquire::start() {
    lessee_->acquires().push_back(*this);
    lessee_->counts().waiting += !is_part_;
    if (lessee_->closing()) return refuse_at_once(errc::closed);
    if (terms_.wait == core::nanoseconds::zero()) {
        // One attempt does not queue: it knows already, or makes it beside a caller that has got no further.
        const local_queues::occupation by = lessee_->queues().who_has(claim_->full_key);
        if (by == local_queues::occupation::holder) return refuse_at_once(errc::held);
        if (by == local_queues::occupation::contender) return contend();
    }
    // Those who read do not wait for each other.
    if (claim_->reads()) return contend();
    turn_ = lessee_->queues().enter(claim_);
    if (turn_)
        begin_turn();
    else
        run(await_turn());
}

void acquire::begin_turn() {
    // With and without fencing a key is another thing to the engine, and so it is for writing, and to lead.
    if (has_lease() &&
        ((taken().lease.fencing_token != 0) != terms_.fencing || taken().lease.of->mode() != claim_->mode() ||
         taken().lease.of->permit() != claim_->permit() || claim_->leads())) {
        release_handed();
        turn_.lost();
    }
    if (!has_lease()) return contend();
    if (terms_.fencing || !take_lease_as_it_is()) return run(confirm_lease());
    routine_ended();
}

engine::wish acquire::wish_for(const engine::claim_pointer& wanted) const noexcept {
    return {.claim = wanted,
            .claimed_at = began_at_,
            .life = terms_.life,
            .ttl = terms_.lease.ttl,
            .renews = terms_.lease.renew,
            .fencing = terms_.fencing,
            .waits = terms_.wait > core::nanoseconds::zero(),
            .wait_until = wait_until_,
            .not_before = turn_.hold_off_until()};
}

void acquire::contend() {
    if (planted(core::mistake::readers_seen_first) && claim_->writes()) {
        starts_draining({.claim = claim_,
                         .sent_at = lessee_->now(),
                         .ttl = terms_.lease.ttl,
                         .fencing_token = 0,
                         .had_to_wait = false});
        return draining_->start();
    }
    ask_engine();
}

void acquire::ask_engine() {
    engine::contest_listener& listener = *this;
    contest_ = &lessee_->engine().contend(wish_for(claim_), listener);
    contest_->start();
}

bool acquire::takes(engine::grant&& given) noexcept {
    // Somebody else's code runs in between, where there is an observer.
    if (lessee_->observer()) lessee_->turns().time_passed();
    const time::instant now = lessee_->turns().time_of_grant();
    const time::instant sent = planted(core::mistake::validity_from_reply) ? now : given.sent_at;
    const core::lease_state state(terms_.lease, sent, now, given.ttl);
    if (state.stop_at() <= now) {
        ++lessee_->counts().late_grants;
        came_too_late_ = true;
        return false;
    }
    lessee_->counts().remote_handoffs += given.had_to_wait;
    // Also of one that is still read: what the engine hears of it meanwhile is not to be given back.
    turn_.granted(*given.claim, now);
    if (claim_->writes() && lessee_->engine().grants_undrained() && !planted(core::mistake::no_drain) &&
        !planted(core::mistake::readers_seen_first))
        return starts_draining(std::move(given));
    grant(std::move(given.claim), state, core::saturating_add(now, core::saturating_nanoseconds(terms_.life)),
          given.fencing_token);
    return true;
}

void acquire::end_early(event how) noexcept {
    if (draining_)
        draining_->cancel(reason_of(how));
    else if (contest_)
        contest_->cancel(reason_of(how));
    else
        raise(how);
}

void acquire::refuse_at_once(errc why) noexcept {
    if (observer* o = lessee_->observer(); o && !is_part_) o->refused(claim_->key(), make_error_code(why));
    finish(why);
    listener_.acquire_over();
}

void acquire::grant(engine::claim_pointer granted, const core::lease_state& state, time::instant keys_end,
                    std::uint64_t fencing_token) {
    counters& counts = lessee_->counts();
    const core::nanoseconds waited = lessee_->now() - began_at_;
    if (!is_part_) {
        ++counts.of(*granted).grants;
        --counts.waiting;
        counts.time_to_acquire.record(waited);
    }
    end_of_wait();
    has_outcome_ = true;
    turn::list_hook::unlink();
    detail::lease_pointer held(new held_lease(lessee_, std::move(granted), terms_, state, keys_end,
                                              std::move(stop_), std::move(turn_), fencing_token));
    held->start();
    if (observer* o = lessee_->observer(); o && !is_part_) held->tell_granted(*o, waited);
    listener_.granted(std::move(held));
}

void acquire::begin_to_wait(std::string_view key) noexcept {
    if (waits_since_ != time::instant::max()) return;
    waits_since_ = lessee_->now();
    if (is_part_) return;
    if (observer* o = lessee_->observer()) o->waiting(key);
}

void acquire::end_of_wait() noexcept {
    if (waits_since_ != time::instant::max() && !is_part_)
        lessee_->counts().wait_time.record(lessee_->now() - waits_since_);
}

void acquire::finish(errc why, const engine::failure* more) noexcept {
    has_outcome_ = true;
    turn::list_hook::unlink();
    turn_.end(lessee_->now());
    end_of_wait();
    if (!is_part_) lessee_->counts().call_ended(why);
    listener_.not_granted(why, more);
}

acquire::account acquire::told() const noexcept {
    return {.key = claim_->key(),
            .waited = lessee_->now() - began_at_,
            .wait = terms_.wait,
            .for_others = waits_since_ != time::instant::max(),
            .was_granted = came_too_late_};
}

void acquire::routine_ended() noexcept {
    if (has_outcome_)
        listener_.acquire_over();
    else
        begin_turn();
}

} // namespace redlock::lock
