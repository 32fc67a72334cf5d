#include "engines/etcd/rule/server_lease.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

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
// A grant that was given up may take so long. A member with the settings that etcd comes with answers, or
// gives up, in 7 s; what was not delivered to it goes no further once the connection is closed.
constexpr seconds longest_way{30};
constexpr seconds between_looks{1};

} // namespace

seconds server_ttl_for(milliseconds life) noexcept {
    return std::clamp(std::chrono::ceil<seconds>(std::min<milliseconds>(life, most_ttl)), least_ttl,
                      most_ttl);
}

bool server_lease::is_fresh(core::instant now) const noexcept {
    return is_alive(now) && !is_doubted_ && now - alive_from_ <= nanoseconds(ttl_) / 10;
}

core::instant server_lease::sent_at(core::instant asked_at, milliseconds life) const noexcept {
    return std::min(asked_at, lives_until() - life);
}

// A little less than a third of the life: those who have keys under it ask at a third, and find it done.
core::instant server_lease::keepalive_due() const noexcept {
    if (is_doubted_ || is_hurried_) return not_before_;
    return std::max(kept_from_ + nanoseconds(ttl_) * 3 / 10, not_before_);
}

// One that all share is kept for a while when nobody is there.
core::instant server_lease::end_of_use() const noexcept {
    if (idle_since_ == core::instant::max()) return core::instant::max();
    return is_shared_ && !is_retired() ? idle_since_ + idle_for : idle_since_;
}

core::instant server_lease::due(core::instant now) noexcept {
    if (is_used())
        idle_since_ = core::instant::max();
    else if (idle_since_ == core::instant::max())
        idle_since_ = now;
    if (is_asked_ || is_being_revoked()) return core::instant::max();
    if (is_condemned()) return not_before_;
    switch (phase_) {
    case phase::wanted:
        return is_used() ? not_before_ : core::instant::max();
    case phase::granted:
        if (runs_out_) return is_hurried_ ? not_before_ : core::instant::max();
        return std::min(end_of_use(), keepalive_due());
    default:
        return may_exist_ ? not_before_ : core::instant::max();
    }
}

server_lease::need server_lease::needs(core::instant now) noexcept {
    if (now < due(now)) return need::nothing;
    if (is_condemned()) return need::revoke;
    if (phase_ == phase::wanted) return need::grant;
    return phase_ == phase::granted && (runs_out_ || now < end_of_use()) ? need::keep_alive : need::revoke;
}

// Before what failed is asked for again.
core::nanoseconds server_lease::pause() const noexcept {
    return std::clamp<nanoseconds>(nanoseconds(ttl_) / 40, milliseconds(50), milliseconds(500));
}

void server_lease::not_revoked(core::instant now) noexcept {
    end_ = end::owed;
    not_before_ = now + pause();
}

bool server_lease::not_found(core::instant now) noexcept {
    if (!may_exist_ || now >= may_come_until_) return false;
    was_not_found_ = true;
    end_ = end::owed;
    not_before_ = now + between_looks;
    return true;
}

void server_lease::sending(core::instant now, std::uint64_t term) noexcept {
    assert(!is_asked_);
    is_asked_ = true;
    is_hurried_ = false;
    asked_at_ = now;
    if (phase_ == phase::wanted) term_ = term;
}

bool server_lease::granted(seconds life, std::uint64_t term) noexcept {
    assert(!was_granted());
    is_asked_ = false;
    if (life <= seconds::zero()) lost();
    if (is_over()) return false;
    phase_ = phase::granted;
    granted_ = std::min(life, most_ttl);
    alive_from_ = kept_from_ = asked_at_;
    if (term_ == 0) term_ = term;
    not_before_ = core::instant::min();
    return true;
}

bool server_lease::kept_alive(seconds life) noexcept {
    // Whoever says so may have stood still when it was granted: it is revoked, for what there is of it.
    if (life <= seconds::zero()) {
        may_exist_ = was_granted();
        lost();
    }
    if (is_over()) return false;
    granted_ = std::min(life, granted_);
    kept_from_ = asked_at_;
    awaits_proof_ = true;
    return true;
}

void server_lease::proven(std::uint64_t term) noexcept {
    assert(awaits_proof_ && is_asked_);
    is_asked_ = awaits_proof_ = is_doubted_ = false;
    not_before_ = core::instant::min();
    is_outlived_ = is_outlived_ || term != term_;
    if (!is_outlived_) alive_from_ = asked_at_;
}

void server_lease::unanswered(core::instant now, bool was_sent) noexcept {
    is_asked_ = false;
    if (std::exchange(awaits_proof_, false)) is_hurried_ = true;
    not_before_ = now + pause();
    if (phase_ != phase::wanted || !was_sent) return;
    phase_ = phase::over;
    may_exist_ = true;
    may_come_until_ = now + longest_way;
    not_before_ = core::instant::min();
}

} // namespace redlock::etcd
