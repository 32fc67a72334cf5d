// How a caller who is to write waits for those who read.

#include "lease/acquire/acquire_draining.hpp"

#include "core/mistake.hpp"
#include "lease/acquire/acquire_waiting.hpp"
#include "lease/held_lease.hpp"

#include <utility>

namespace redlock::lock {

bool acquire::starts_draining(engine::grant&& given) {
    const engine::wish wish = wish_for(given.claim);
    draining_.reset(new draining(*this, std::move(given), wish));
    return true;
}

// Behind the contest, which is over with its grant.
void acquire::contest_over() noexcept {
    contest_ = nullptr;
    if (!draining_) return listener_.acquire_over();
    draining_->start();
}

void acquire::drained(time::instant sent_at) noexcept {
    const std::unique_ptr<draining> done = std::move(draining_);
    if (planted(core::mistake::readers_seen_first)) return ask_engine();
    engine::grant& given = done->granted;
    const time::instant now = lessee_->clock().now();
    const core::lease_state state(terms_.lease, sent_at, now);
    const time::instant keys_end = core::saturating_add(now, core::saturating_nanoseconds(terms_.life));
    if (state.stop_at() <= now) {
        ++lessee_->counts().late_grants;
        came_too_late_ = true;
        return drained_in_vain(std::move(given.claim), errc::no_quorum, nullptr);
    }
    grant(std::move(given.claim), state, keys_end, given.fencing_token);
    listener_.acquire_over();
}

void acquire::not_drained(errc why, const engine::failure* more) noexcept {
    const std::unique_ptr<draining> done = std::move(draining_);
    drained_in_vain(std::move(done->granted.claim), why, more);
}

// Lost meanwhile, or too late: whoever waits is to have it anew, in his place, unless it was taken away from
// him: then he is behind those who wait.
void acquire::drained_in_vain(engine::claim_pointer given, errc why, const engine::failure* more) noexcept {
    turn_.lost();
    const time::instant keys_end =
        core::saturating_add(lessee_->now(), core::saturating_nanoseconds(terms_.life));
    const engine::claim_pointer last = given;
    lessee_->engine().release(std::move(given), keys_end);
    const bool may_be_had = why == errc::lease_lost || why == errc::no_quorum || why == errc::held;
    if (may_be_had && lessee_->clock().now() < wait_until_) {
        const std::string_view prefix = lessee_->settings().key_prefix;
        engine::key_name same_key(detail::key_text(claim_->key()), claim_->mode());
        claim_ = why == errc::lease_lost
                     ? lessee_->engine().claim_key(prefix, std::move(same_key), terms_.fencing)
                     : lessee_->engine().claim_again(*last, prefix, terms_.fencing);
        return contend();
    }
    finish(why == errc::lease_lost ? errc::held : why, more);
    listener_.acquire_over();
}

} // namespace redlock::lock
