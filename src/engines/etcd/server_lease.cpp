#include "engines/etcd/server_lease.hpp"

#include <algorithm>
#include <cassert>

namespace redlock::etcd {

namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

constexpr seconds least_ttl{2};
// The most that a server takes.
constexpr seconds most_ttl{9'000'000'000};
// A client that takes a lock now and then is not to have a lease granted for each.
constexpr seconds idle_for{60};

} // namespace

seconds server_ttl_for(milliseconds life) noexcept {
    return std::clamp(std::chrono::ceil<seconds>(std::min<milliseconds>(life, most_ttl)), least_ttl, most_ttl);
}

bool server_lease::is_fresh(core::instant now) const noexcept {
    return is_alive(now) && !is_doubted_ && now - alive_from_ <= nanoseconds(ttl_) / 10;
}

core::instant server_lease::sent_at(core::instant asked_at, milliseconds life) const noexcept {
    return std::min(asked_at, lives_until() - life);
}

void server_lease::leave(core::instant now) noexcept {
    assert(users_ > 0);
    if (--users_ == 0) idle_since_ = now;
}

// A little less than a third of the life: those who have keys under it ask at a third, and find it done.
core::instant server_lease::keepalive_due() const noexcept {
    if (is_doubted_) return not_before_;
    return std::max(alive_from_ + nanoseconds(ttl_) * 3 / 10, not_before_);
}

core::instant server_lease::due() const noexcept {
    if (is_asked_) return core::instant::max();
    switch (phase_) {
    case phase::wanted:
        return users_ > 0 ? not_before_ : core::instant::max();
    case phase::granted:
        if (users_ > 0) return keepalive_due();
        return is_shared_ ? idle_since_ + idle_for : idle_since_;
    default:
        return may_exist_ ? not_before_ : core::instant::max();
    }
}

server_lease::need server_lease::needs(core::instant now) const noexcept {
    if (now < due()) return need::nothing;
    if (phase_ == phase::wanted) return need::grant;
    return phase_ == phase::granted && users_ > 0 ? need::keep_alive : need::revoke;
}

void server_lease::sending(core::instant now) noexcept {
    assert(!is_asked_);
    is_asked_ = true;
    asked_at_ = now;
}

bool server_lease::answered(seconds granted) noexcept {
    is_asked_ = false;
    if (granted <= seconds::zero()) lost();
    if (is_over()) return false;
    phase_ = phase::granted;
    granted_ = std::min(granted, most_ttl);
    alive_from_ = asked_at_;
    is_doubted_ = false;
    not_before_ = core::instant::min();
    return true;
}

void server_lease::unanswered(core::instant now, bool was_sent) noexcept {
    is_asked_ = false;
    not_before_ = now + std::clamp<nanoseconds>(nanoseconds(ttl_) / 40, milliseconds(50), milliseconds(500));
    if (phase_ != phase::wanted || !was_sent) return;
    phase_ = phase::over;
    may_exist_ = true;
    not_before_ = core::instant::min();
}

} // namespace redlock::etcd
