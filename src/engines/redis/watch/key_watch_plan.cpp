// When a contender that waits for a key tries again.

#include "core/mistake.hpp"
#include "core/quorum/tally.hpp"
#include "core/validity.hpp"
#include "engines/redis/watch/key_watch.hpp"

#include <algorithm>
#include <utility>

namespace redlock::redis {

void key_watch::go_on(bool needs_the_others) {
    const time::instant now = quorum_.now();
    const core::nanoseconds patience = quorum_.settings().node_timeout;
    wanted_ = true;
    losses_ += chance_at_ != time::instant::max();
    const bool ran_out = std::exchange(ran_out_, false);
    const bool invited = ran_out || chance_at_ != time::instant::max();
    if (sight_.take_change_of_holder())
        is_not_misled();
    else if (invited)
        was_misled(now);
    held_ = {};
    chance_at_ = time::instant::max();
    counted_again_ = false;
    probe_at_ = now + backoff_.next(quorum_.random());
    look_at_ = time::instant::max();
    choose_arbiter();
    if (is_narrow() && (needs_the_others || !crowd_)) listen_and_look_everywhere();
    if (!needs_the_others && is_better_narrow()) narrow_down();
    if (has_chance()) return plan();
    // Who has it now, and for how long? Where changes are told that can wait: most often it is over before.
    if (is_narrow() && misled_ > 0 && arbiter_) look(*arbiter_);
    if (is_narrow() || (sight_.change_will_be_told() && misled_ == 0))
        look_at_ = now + quorum_.random().between(patience / 2, patience);
    else
        listen_and_look_everywhere();
    plan();
}

// A node says that the key is free and refuses it: its reads and writes go to different servers, or it is
// none that a lock can be had from. Once that may be chance.
void key_watch::was_misled(time::instant now) {
    if (++misled_ > 1) not_before_ = now + vain_pause_.next(quorum_.random());
}

void key_watch::is_held(std::uint32_t index, std::chrono::milliseconds left) noexcept {
    if (left >= std::chrono::milliseconds::zero() && core::saturating_nanoseconds(left) < longest_pause) return;
    held_.add(index);
    if (held_.size() > quorum_.nodes() - core::majority(quorum_.nodes()) ||
        (is_narrow() && arbiter_ == index))
        is_not_misled();
}

void key_watch::is_not_misled() noexcept {
    misled_ = 0;
    not_before_ = time::instant::min();
    vain_pause_.reset();
}

void key_watch::choose_arbiter() {
    crowd_ = quorum_.contests().is_crowded(claim_->full_key, quorum_.now());
    if (arbiter_ && quorum_.session_of(*arbiter_).is_ready()) return;
    core::node_set ready;
    for (const std::uint32_t index : quorum_.every_node())
        ready.set(index, quorum_.session_of(index).is_ready());
    arbiter_ = quorum_.arbiter_of(claim_->full_key, ready);
}

// Not for the one whose turn it is: it gets all nodes at once. The others come later, and only in case.
std::optional<std::uint32_t> key_watch::first_to_ask() const noexcept {
    return (crowd_ || ahead_.value_or(0) > 0) && arbiter_ && sight_.is_free(*arbiter_) ? arbiter_
                                                                                       : std::nullopt;
}

bool key_watch::waits_for_arbiter() const noexcept {
    return crowd_ && arbiter_ && !sight_.is_free(*arbiter_) && !sight_.is_ours(*arbiter_) &&
           quorum_.session_of(*arbiter_).is_ready();
}

bool key_watch::has_chance() const noexcept {
    if (sight_.free_on_majority()) return true;
    // The news of the others are on their way, or will never come because one listens to the arbiter alone.
    return crowd_ && arbiter_ && sight_.is_free(*arbiter_) && !sight_.change_will_be_told();
}

// Known to be free: at once, unless it is polite, or wiser, to wait a moment.
time::instant key_watch::next_try() const {
    const core::nanoseconds longest = quorum_.settings().node_timeout / 8;
    // The news of the arbiter are on their way, unless it was left alone with the key of a contender that
    // died.
    if (waits_for_arbiter()) return std::max(chance_at_ + longest, not_before_);
    // Time for each of those that came before to take the key. All of them may be gone, so this is no queue.
    const core::nanoseconds theirs = std::min(ahead_.value_or(0) * (4 * quorum_.round_trip()), longest);
    return std::max(chance_at_ + theirs, not_before_);
}

time::instant key_watch::next_look() const {
    if (planted(core::mistake::first_event_wakes)) return time::instant::max();
    // A free arbiter is no chance while so many others are down: then only looking at them helps.
    if (is_narrow())
        return sight_.is_free(*arbiter_) ? look_at_ : std::min(sight_.until(*arbiter_), look_at_);
    return std::min(sight_.free_by(), sight_.change_will_be_told() ? look_at_ : probe_at_);
}

void key_watch::plan() {
    if (!wanted_) return;
    if (is_narrow() && !(arbiter_ && sight_.told(*arbiter_))) listen_and_look_everywhere();
    if (!has_chance()) {
        chance_at_ = time::instant::max();
        if (look_at_ == time::instant::max()) look_at_ = quorum_.now() + quorum_.settings().node_timeout;
        return quorum_.timers().arm(*this, next_look());
    }
    const time::instant now = quorum_.now();
    if (chance_at_ == time::instant::max()) chance_at_ = now;
    if (const time::instant at = next_try(); at > now) {
        quorum_.timers().arm(*this, at);
        count_those_ahead();
    } else {
        tell();
    }
}

void key_watch::expired(time::instant now) noexcept {
    if (has_chance()) return plan();
    if (is_narrow() && crowd_ && !sight_.is_free(*arbiter_) && sight_.until(*arbiter_) <= now) {
        sight_.free(*arbiter_); // asking for it makes it run out
    } else if (look_at_ <= now && (is_narrow() || sight_.free_by() > now)) {
        listen_and_look_everywhere();
    } else if (not_before_ > now) {
        return quorum_.timers().arm(*this, not_before_);
    } else {
        ran_out_ = sight_.free_by() <= now;
        return tell();
    }
    plan();
}

// Each time one of those goes that came before.
void key_watch::arbiter_came_free() noexcept {
    if (std::exchange(had_chance_, true) && ahead_.value_or(0) > 0) --*ahead_;
    const core::nanoseconds patience = quorum_.settings().node_timeout;
    const time::instant now = quorum_.now();
    quick_ = core::saturating_add(came_free_, patience / 2) > now;
    came_free_ = now;
    // Whoever had it was alive: others may have the key for long, but have not left it there.
    if (is_narrow()) look_at_ = now + quorum_.random().between(patience / 2, patience);
}

bool key_watch::is_better_narrow() const noexcept {
    if (!crowd_ || is_narrow() || !quick_ || !arbiter_ || misled_ > 0) return false;
    return sight_.told(*arbiter_) && subscribed_.has(*arbiter_) &&
           came_free_ + quorum_.settings().node_timeout / 2 > quorum_.now();
}

void key_watch::narrow_down() {
    encoding bytes(quorum_.batch());
    for (std::uint32_t index = 0; index < quorum_.nodes(); ++index) {
        if (index == *arbiter_) continue;
        sight_.set_told(index, false);
        if (subscribed_.has(index)) unsubscribe(index, bytes);
    }
    listens_everywhere_ = false;
}

void key_watch::tell() noexcept {
    disarm();
    if (std::exchange(wanted_, false) && listener_) listener_->key_may_be_free();
}

} // namespace redlock::redis
