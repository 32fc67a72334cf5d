// How a lease for writing becomes one for reading.

#include "lease/held_lease.hpp"
#include "lease/lease_upkeep.hpp"
#include "turn/outcome.hpp"

#include <redlock/observer.hpp>

#include <algorithm>
#include <utility>

namespace redlock::lock {

bool lease_upkeep::is_downgrading() const noexcept {
    return lease_.downgrading_ && lease_.downgrading_->is_asked;
}

bool lease_upkeep::is_held_by(const std::function<bool(const engine::claim&)>& one) const {
    return one(*lease_.claim()) || (is_downgrading() && one(*lease_.downgrading_->reading));
}

void lease_upkeep::downgrade(lease_waiter& w) {
    if (unlocking_ || state_.phase() != core::lease_phase::held)
        return w.answered(make_error_code(lease_.why_over()));
    if (!lease_.claim()->writes()) return w.answered(make_error_code(errc::invalid_option));
    if (!owner().engine().downgrades()) return w.answered(make_error_code(errc::unsupported));
    if (!lease_.downgrading_) lease_.downgrading_.reset(new downgrading);
    lease_.downgrading_->waiting.push_back(w);
    if (!renewal_) begins_downgrade();
}

bool lease_upkeep::begins_downgrade() {
    downgrading* const wanted = lease_.downgrading_.get();
    if (!wanted || wanted->waiting.empty()) return false;
    renewal_timer().disarm();
    stay_alive();
    wanted->is_asked = true;
    // A try that is given back is never made again, so each has a claim of its own.
    wanted->reading = owner().engine().claim_key(owner().settings().key_prefix,
                                                 engine::key_name(detail::key_text(lease_.key()), mode::read),
                                                 lease_.fencing_token() != 0);
    const time::instant end = core::saturating_add(owner().now(), core::saturating_nanoseconds(life_));
    keys_end_ = std::max(keys_end_, end);
    renewal_ = owner().engine().downgrade(lease_.claim(), wanted->reading, life_, *this);
    return true;
}

// Until it is decided nothing has happened that could not be taken back: the key is still ours for writing.
void lease_upkeep::downgrade_decided(engine::outcome decided, time::instant sent_at, errc why,
                                     const engine::failure* more) noexcept {
    downgrading& d = *lease_.downgrading_;
    d.is_asked = false;
    const bool is_held = state_.phase() == core::lease_phase::held && !unlocking_;
    const bool is_wanted = is_held && !d.waiting.empty();
    if (decided != engine::outcome::confirmed || !is_wanted) {
        owner().engine().release(std::move(d.reading), keys_end_);
        if (decided == engine::outcome::gone) lose(loss::majority);
        if (more && is_wanted) turn::answer_all(d.waiting, turn::code_of(why), *more);
        answer_downgrade(turn::code_of(why));
        return go_on();
    }
    owner().engine().release(lease_.claim(), keys_end_);
    counters& counts = owner().counts();
    --counts.of(*lease_.claim()).held;
    d.is_done = true;
    ++counts.of(*lease_.claim()).held;
    ++counts.downgrades;
    state_.confirmed(sent_at);
    lease_.publish(state_.valid_until());
    turn_.end(owner().now());
    if (observer* o = owner().observer()) o->downgraded(lease_.key());
    answer_downgrade(turn::success);
    go_on();
}

void lease_upkeep::answer_downgrade(const boost::system::error_code& outcome) noexcept {
    if (lease_.downgrading_) turn::answer(lease_.downgrading_->waiting, outcome);
}

} // namespace redlock::lock
