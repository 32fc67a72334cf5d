#include "engines/sql/failover_guard.hpp"

#include "core/validity.hpp"

#include <algorithm>

namespace redlock::sql {

bool failover_guard::connected(const server_facts& f, core::instant now) noexcept {
    const bool changed = timeline_ && *timeline_ != f.timeline;
    timeline_ = f.timeline;
    // What it says of itself may be forgotten, too: the client's own memory counts as well.
    if (!f.first_timeline || changed) close_for(guard_ - f.on_timeline, now);
    if (!f.keeps_commits) close_for(guard_ - f.uptime, now);
    return changed || !f.keeps_commits;
}

void failover_guard::close_for(core::nanoseconds time, core::instant now) noexcept {
    if (guard_ <= core::nanoseconds(0) || time <= core::nanoseconds(0)) return;
    closed_until_ = std::max(closed_until_, core::saturating_add(now, std::min(time, guard_)));
}

} // namespace redlock::sql
