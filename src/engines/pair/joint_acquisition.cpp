#include "engines/pair/joint_acquisition.hpp"

#include "core/validity.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace redlock::pair {

using step = joint_acquisition::step;

promise smaller(const promise& one, const promise& other) noexcept {
    const core::instant sent_at = std::min(one.sent_at, other.sent_at);
    const core::instant end =
        std::min(core::saturating_add(one.sent_at, one.ttl), core::saturating_add(other.sent_at, other.ttl));
    return {.sent_at = sent_at, .ttl = std::min({one.ttl, other.ttl, end - sent_at})};
}

step joint_acquisition::end(errc why) noexcept {
    phase_ = phase::over;
    return {.what = action::end, .gives_back_first = std::exchange(holds_first_, false), .why = why};
}

step joint_acquisition::pause(core::instant now, core::random& draws) noexcept {
    phase_ = phase::pauses;
    const core::instant until = std::min(core::saturating_add(now, pauses_.next(draws)), wait_until_);
    return {.what = action::pause, .gives_back_first = std::exchange(holds_first_, false), .until = until};
}

step joint_acquisition::start() noexcept {
    phase_ = phase::asks_first;
    return {.what = action::ask_first};
}

step joint_acquisition::first_granted(const promise& given) noexcept {
    assert(phase_ == phase::asks_first && !holds_first_);
    holds_first_ = true;
    if (is_off_) return end(why_off_);
    first_ = given;
    phase_ = phase::asks_second;
    second_until_ = std::min(wait_until_, core::saturating_add(given.sent_at, given.ttl / 2));
    return {.what = action::ask_second, .until = second_until_};
}

// Who waits for a holder may find an engine away for a while; who has only just come is told so.
bool joint_acquisition::may_go_on(errc why, core::instant now) const noexcept {
    return !is_off_ && waits_ && has_waited_ && why == errc::no_quorum && now < wait_until_;
}

step joint_acquisition::first_refused(errc why, core::instant now, core::random& draws) noexcept {
    assert(phase_ == phase::asks_first && !holds_first_);
    if (!may_go_on(why, now)) return end(is_off_ ? why_off_ : why);
    last_ = why;
    return pause(now, draws);
}

step joint_acquisition::second_granted(const promise& given) noexcept {
    assert(phase_ == phase::asks_second && holds_first_);
    phase_ = phase::over;
    joint_ = smaller(first_, given);
    return {.what = action::take};
}

step joint_acquisition::second_refused(errc why, core::instant now, core::random& draws) noexcept {
    assert(phase_ == phase::asks_second || phase_ == phase::withdraws);
    if (is_off_) return end(why_off_);
    const bool withdrawn = phase_ == phase::withdraws;
    const bool time_is_up = now >= second_until_;
    const bool goes_on = withdrawn || time_is_up || may_go_on(why, now);
    const errc told = withdrawn ? errc::no_quorum : why;
    if (!goes_on || !waits_ || now >= wait_until_) return end(told);
    has_waited_ = true;
    last_ = told;
    return pause(now, draws);
}

step joint_acquisition::came_too_late() noexcept {
    assert(phase_ == phase::over && holds_first_);
    phase_ = phase::withdraws;
    return {.what = action::withdraw_second, .why = errc::no_quorum};
}

step joint_acquisition::first_in_doubt() noexcept {
    assert(phase_ == phase::asks_second);
    phase_ = phase::withdraws;
    return {.what = action::withdraw_second, .why = errc::no_quorum};
}

step joint_acquisition::time_passed(core::instant now) noexcept {
    assert(phase_ == phase::pauses);
    if (now >= wait_until_) return end(last_ == errc::no_quorum ? last_ : errc::wait_timeout);
    return start();
}

step joint_acquisition::called_off(errc why) noexcept {
    is_off_ = true;
    why_off_ = why;
    if (phase_ == phase::pauses) return end(why);
    if (phase_ == phase::asks_second) phase_ = phase::withdraws;
    return {.what = action::withdraw_second, .why = why};
}

} // namespace redlock::pair
