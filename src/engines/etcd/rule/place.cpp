#include "engines/etcd/rule/place.hpp"

#include <algorithm>
#include <utility>

namespace redlock::etcd {

namespace {

// One attempt is over then, whatever the server does.
constexpr unsigned most_lost_leases = 3;
constexpr unsigned most_refreshes = 3;
// Nobody relies on watches alone.
constexpr std::chrono::seconds look_again{10};

} // namespace

place::step place::start() noexcept { return lease(); }

place::step place::lease() noexcept {
    phase_ = phase::leasing;
    has_place_ = false;
    lost_ = false;
    predecessor_ = 0;
    is_watching_ = false;
    return {.what = action::get_lease};
}

place::step place::confirm() noexcept {
    phase_ = phase::confirming;
    heard_ = false;
    return {.what = action::confirm};
}

place::step place::wait(core::instant now) noexcept {
    phase_ = phase::waiting;
    return {.what = action::wait, .until = std::min(wait_until_, now + look_again)};
}

place::step place::end(errc why, remains behind) noexcept {
    phase_ = phase::over;
    return {.what = action::end, .why = why, .behind = behind};
}

place::step place::has_lease() noexcept {
    if (phase_ != phase::leasing) return {.what = action::go_on};
    phase_ = phase::asking;
    heard_ = false;
    return {.what = action::ask};
}

place::step place::no_lease(errc why, core::instant now, core::random& draws) noexcept {
    if (phase_ != phase::leasing) return {.what = action::go_on};
    return failed(why, remains::nothing, now, draws);
}

place::step place::let_in(core::instant now, core::random& draws) noexcept {
    if (std::exchange(lost_, false)) return displaced(now, draws);
    heard_ = false;
    return {.what = phase_ == phase::asking ? action::ask : action::confirm};
}

place::step place::answered(const verdict& v, bool lives_enough, core::instant now,
                            core::random& draws) noexcept {
    const bool lost = std::exchange(lost_, false);
    if (v.what == verdict::kind::unknown && phase_ == phase::asking)
        return failed(v.why, remains::unknown, now, draws);
    if (lost || v.what == verdict::kind::displaced || v.what == verdict::kind::lease_gone)
        return displaced(now, draws);
    switch (v.what) {
    case verdict::kind::first:
        return first(lives_enough, now);
    case verdict::kind::behind:
        return behind(v.predecessor, now);
    case verdict::kind::held:
        return end(errc::held, remains::nothing);
    default:
        return failed(v.why, left_behind(), now, draws);
    }
}

place::step place::first(bool lives_enough, core::instant now) noexcept {
    has_place_ = true;
    if (lives_enough || refreshes_ >= most_refreshes) {
        phase_ = phase::over;
        return {.what = action::take};
    }
    if (waits_ && now >= wait_until_ && has_waited_) return end(errc::wait_timeout, remains::key);
    ++refreshes_;
    phase_ = phase::refreshing;
    return {.what = action::refresh};
}

place::step place::behind(std::int64_t predecessor, core::instant now) noexcept {
    has_place_ = true;
    has_waited_ = true;
    lost_leases_ = 0;
    pauses_.reset();
    if (now >= wait_until_) return end(errc::wait_timeout, remains::key);
    if (predecessor != predecessor_) {
        predecessor_ = predecessor;
        is_watching_ = false;
        phase_ = phase::arranging;
        return {.what = action::watch, .until = std::min(wait_until_, now + look_again)};
    }
    if (!is_watching_) {
        phase_ = phase::arranging;
        return {.what = action::wait, .until = std::min(wait_until_, now + look_again)};
    }
    // The answer may be older than what it was told meanwhile.
    return heard_ ? confirm() : wait(now);
}

// Behind all others from now on: what was in the queue is gone.
place::step place::displaced(core::instant now, core::random& draws) noexcept {
    has_place_ = false;
    if (has_waited_ && now >= wait_until_) return end(errc::wait_timeout, remains::nothing);
    if (++lost_leases_ > most_lost_leases) return failed(errc::no_quorum, remains::nothing, now, draws);
    return lease();
}

// Who waits for a holder may find the servers away for a while; who has only just come is told so.
place::step place::failed(errc why, remains behind, core::instant now, core::random& draws) noexcept {
    const bool may_pass = why == errc::no_quorum || why == errc::node_timeout;
    if (!may_pass || !has_waited_ || !may_go_on(now)) return end(why, behind);
    const bool keeps_place = has_place_;
    phase_ = keeps_place ? phase::hesitating : phase::pausing;
    return {.what = action::wait,
            .until = std::min(now + pauses_.next(draws), wait_until_),
            .behind = keeps_place ? remains::nothing : behind};
}

place::step place::watching() noexcept {
    if (phase_ == phase::over || predecessor_ == 0) return {.what = action::go_on};
    is_watching_ = true;
    // It missed whatever there was to see before.
    if (phase_ == phase::arranging || phase_ == phase::waiting) return confirm();
    heard_ = true;
    return {.what = action::go_on};
}

place::step place::predecessor_gone() noexcept {
    if (phase_ == phase::arranging || phase_ == phase::waiting) return confirm();
    heard_ = true;
    return {.what = action::go_on};
}

// Asked once more, for the key may have been taken away.
place::step place::refreshed(bool done, core::instant now, core::random& draws) noexcept {
    if (phase_ != phase::refreshing) return {.what = action::go_on};
    if (done) return confirm();
    return failed(errc::no_quorum, remains::key, now, draws);
}

place::step place::lease_lost() noexcept {
    switch (phase_) {
    case phase::over:
    case phase::pausing:
        return {.what = action::go_on};
    case phase::asking:
    case phase::confirming:
        lost_ = true;
        return {.what = action::go_on};
    default:
        return lease();
    }
}

place::step place::time_passed(core::instant now) noexcept {
    switch (phase_) {
    case phase::pausing:
        return now >= wait_until_ ? end(errc::wait_timeout, remains::nothing) : lease();
    case phase::hesitating:
    case phase::arranging:
    case phase::waiting:
        return now >= wait_until_ ? end(errc::wait_timeout, left_behind()) : confirm();
    default:
        return {.what = action::go_on};
    }
}

place::step place::came_too_late(core::instant now) noexcept {
    has_place_ = true;
    if (!waits_ || now >= wait_until_ || refreshes_ >= most_refreshes)
        return end(errc::no_quorum, remains::key);
    ++refreshes_;
    phase_ = phase::refreshing;
    return {.what = action::refresh};
}

} // namespace redlock::etcd
