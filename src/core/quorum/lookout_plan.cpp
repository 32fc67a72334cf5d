// When a contender that waits for a key looks, listens and tries again.

#include "core/mistake.hpp"
#include "core/quorum/lookout.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace redlock::core {

namespace {

// How long news are relied on without a look. They do not get lost on a connection that stands, but somebody
// may have flushed a node, which tells nobody.
nanoseconds recheck_after(nanoseconds node_timeout) noexcept {
    return std::max<nanoseconds>(20 * node_timeout, std::chrono::seconds(1));
}

bool is_empty(const lookout::step& s) noexcept {
    return s.leave.empty() && s.listen.empty() && s.look.empty();
}

} // namespace

lookout::step lookout::next(const view& v) {
    if (!is_empty(asking_)) return std::exchange(asking_, {.what = action::ask});
    if (std::exchange(settles_down_, false)) {
        settle_down(v.now);
        if (!is_empty(asking_)) return next(v);
    }
    if (!waits_) return sleep_until(instant::max());
    if (is_narrow() && !(arbiter_ && sight_.told(*arbiter_))) {
        look_everywhere(v.now);
        return next(v);
    }
    if (!has_chance()) {
        chance_at_ = instant::max();
        if (look_at_ == instant::max()) look_at_ = v.now + node_timeout_;
        return sleep_until(next_look(v.now));
    }
    if (chance_at_ == instant::max()) chance_at_ = v.now;
    const instant at = next_try(v);
    if (at <= v.now) return attempt();
    // Some of those that came before may have gone meanwhile; and a holder who went on working without a
    // pause took the key long before it could say that it stops listening.
    step wait = sleep_until(at);
    wait.count = !std::exchange(counted_again_, true) && !crowd_ && ahead_.value_or(0) > 0 && arbiter_ &&
                 listening_.has(*arbiter_);
    return wait;
}

lookout::step lookout::time_passed(const view& v) {
    if (!waits_ || !is_empty(asking_) || settles_down_ || has_chance()) return next(v);
    if (is_narrow() && crowd_ && !sight_.is_free(*arbiter_) && sight_.until(*arbiter_) <= v.now) {
        sight_.free(*arbiter_); // asking for it makes it run out
    } else if (look_at_ <= v.now && (is_narrow() || sight_.free_by() > v.now)) {
        look_everywhere(v.now);
    } else if (not_before_ > v.now) {
        return sleep_until(not_before_);
    } else {
        ran_out_ = sight_.free_by() <= v.now;
        return attempt();
    }
    return next(v);
}

lookout::step lookout::attempt() noexcept {
    waits_ = false;
    return {.what = action::attempt};
}

void lookout::look_everywhere(instant now) noexcept {
    look_at_ = now + recheck_after(node_timeout_);
    const node_set all = node_set::all_of(nodes_);
    asking_.look |= listens_everywhere_ ? all : listening_;
    asking_.listen |= listens_everywhere_ ? node_set() : all - listening_;
    listens_everywhere_ = true;
}

// Not for the one whose turn it is: it gets all nodes at once. The others come later, and only in case.
std::optional<unsigned> lookout::first_to_ask() const noexcept {
    return (crowd_ || ahead_.value_or(0) > 0) && arbiter_ && sight_.is_free(*arbiter_) ? arbiter_
                                                                                       : std::nullopt;
}

bool lookout::waits_for_arbiter(node_set ready) const noexcept {
    return crowd_ && arbiter_ && !sight_.is_free(*arbiter_) && !sight_.is_ours(*arbiter_) &&
           ready.has(*arbiter_);
}

bool lookout::has_chance() const noexcept {
    if (sight_.free_on_majority()) return true;
    // The news of the others are on their way, or will never come because one listens to the arbiter alone.
    return crowd_ && arbiter_ && sight_.is_free(*arbiter_) && !sight_.change_will_be_told();
}

// Known to be free: at once, unless it is polite, or wiser, to wait a moment.
instant lookout::next_try(const view& v) const {
    const nanoseconds longest = node_timeout_ / 8;
    // The news of the arbiter are on their way, unless it was left alone with the key of a contender that
    // died.
    if (waits_for_arbiter(v.ready)) return std::max(chance_at_ + longest, not_before_);
    // Time for each of those that came before to take the key. All of them may be gone, so this is no queue.
    const nanoseconds theirs = std::min(ahead_.value_or(0) * (4 * v.round_trip), longest);
    return std::max(chance_at_ + theirs, not_before_);
}

instant lookout::next_look(instant now) const {
    if (planted(mistake::first_event_wakes)) return instant::max();
    // A free arbiter is no chance while so many others are down: then only looking at them helps.
    if (is_narrow())
        return sight_.is_free(*arbiter_) ? look_at_ : std::min(sight_.until(*arbiter_), look_at_);
    const instant told_until = sight_.told_until();
    const instant unless_told =
        told_until > now ? std::min(look_at_, std::max(told_until, probe_at_)) : probe_at_;
    return std::min(sight_.free_by(), unless_told);
}

bool lookout::is_better_narrow(instant now) const noexcept {
    if (!crowd_ || is_narrow() || !quick_ || !arbiter_ || misled_ > 0) return false;
    return sight_.told(*arbiter_) && listening_.has(*arbiter_) && came_free_ + node_timeout_ / 2 > now;
}

void lookout::narrow_down() noexcept {
    assert(is_empty(asking_));
    const node_set others = node_set::all_of(nodes_) - node_set::just(*arbiter_);
    for (const unsigned node : others)
        sight_.set_told(node, false);
    asking_.leave = others & listening_;
    listening_ -= asking_.leave;
    listens_everywhere_ = false;
}

} // namespace redlock::core
