#include "engines/sql/contender.hpp"

#include "core/validity.hpp"

#include <algorithm>

namespace redlock::sql {

namespace {

// Where nobody tells of releases it looks as often as that.
constexpr std::chrono::milliseconds look_again{100};
// How often one attempt looks again at a row that somebody touches.
constexpr unsigned most_looks = 3;

} // namespace

contender::step contender::ask() noexcept {
    phase_ = phase::asking;
    heard_ = false;
    return {.what = action::ask};
}

contender::step contender::sleep(core::instant until) noexcept {
    phase_ = phase::sleeping;
    has_waited_ = true;
    return {.what = action::sleep, .until = std::min(until, wait_until_)};
}

contender::step contender::end(errc why) noexcept {
    phase_ = phase::over;
    return {.what = action::end, .why = why};
}

contender::step contender::start(core::instant now, core::instant not_before) noexcept {
    if (!waits_ || not_before <= now) return ask();
    phase_ = phase::pausing;
    return {.what = action::sleep, .until = std::min(not_before, wait_until_)};
}

contender::step contender::answered(const verdict& v, core::instant now, core::random& draws) noexcept {
    switch (v.what) {
    case verdict::kind::granted:
        phase_ = phase::over;
        return {.what = action::take};
    case verdict::kind::held:
        return held(now, v.ends_in, draws);
    case verdict::kind::busy:
        return busy(now, draws);
    default:
        return failed(v.why, now, draws);
    }
}

// Somebody is giving it back, or taking it: one attempt does not call a row held that is free in a moment.
contender::step contender::busy(core::instant now, core::random& draws) noexcept {
    if (!waits_) {
        if (looks_++ == most_looks) return end(errc::held);
        phase_ = phase::sleeping;
        return {.what = action::sleep, .until = now + soon_.next(draws)};
    }
    if (now >= wait_until_) return end(errc::wait_timeout);
    return sleep(now + soon_.next(draws));
}

contender::step contender::held(core::instant now, core::nanoseconds ends_in, core::random& draws) noexcept {
    if (!waits_) return end(errc::held);
    if (now >= wait_until_) return end(errc::wait_timeout);
    has_waited_ = true;
    soon_.reset();
    if (!arranged_) {
        phase_ = phase::arranging;
        return {.what = action::listen, .until = wait_until_};
    }
    // The answer may be older than what it was told meanwhile.
    if (heard_) return ask();
    const core::nanoseconds left = std::max(ends_in, core::nanoseconds(0));
    const core::instant over = core::saturating_add(now, left);
    if (is_told_) return sleep(over);
    return sleep(std::min(over, now + draws.between(look_again / 2, look_again)));
}

// Who waits for a holder may find the database away for a while; who has only just come is told so.
contender::step contender::failed(errc why, core::instant now, core::random& draws) noexcept {
    const bool waits_on = why == errc::no_quorum && waits_ && has_waited_ && now < wait_until_;
    if (!waits_on) return end(why);
    return sleep(now + later_.next(draws));
}

contender::step contender::listening(bool can) noexcept {
    arranged_ = true;
    is_told_ = can;
    // It missed whatever there was to tell before.
    if (phase_ == phase::arranging || phase_ == phase::sleeping) return ask();
    heard_ = true;
    return {.what = action::go_on};
}

contender::step contender::told() noexcept {
    if (phase_ == phase::sleeping) return ask();
    heard_ = true;
    return {.what = action::go_on};
}

contender::step contender::time_passed(core::instant now) noexcept {
    // Before it was told whether it will be: too late for anything but the end.
    if (phase_ == phase::arranging && now >= wait_until_) return end(errc::wait_timeout);
    return ask();
}

contender::step contender::came_too_late(core::instant now, core::random& draws) noexcept {
    return failed(errc::no_quorum, now, draws);
}

} // namespace redlock::sql
