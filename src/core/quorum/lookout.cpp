#include "core/quorum/lookout.hpp"

#include "core/quorum/tally.hpp"
#include "core/validity.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace redlock::core {

namespace {

constexpr nanoseconds first_pause = std::chrono::milliseconds(1);

// Redis rounds down, and a key still exists in its last millisecond.
constexpr nanoseconds rounding = std::chrono::milliseconds(2);

constexpr unsigned most_counted = 1000;

} // namespace

lookout::lookout(unsigned nodes, nanoseconds node_timeout, random& draws)
    : nodes_(nodes),
      node_timeout_(node_timeout),
      draws_(draws),
      sight_(nodes),
      // A key that became free untold is noticed within a node timeout.
      backoff_(first_pause, std::clamp(node_timeout, first_pause, longest_pause)),
      vain_pause_(backoff_) {}

void lookout::start(const view& v, const rivals& others, bool arbiter_tells, node_set ours) {
    assert(!waits_ && is_narrow());
    for (const unsigned node : ours)
        sight_.ours(node);
    waits_ = true;
    probe_at_ = v.now + backoff_.next(draws_);
    choose_arbiter(v.ready, others);
    if (!crowd_ || !arbiter_ || !ours.empty() || !arbiter_tells) return; // `next` finds that nobody tells
    look_at_ = v.now + a_while();
    asking_.listen.add(*arbiter_);
}

void lookout::go_on(const view& v, const rivals& others, bool needs_the_others) {
    waits_ = true;
    losses_ += chance_at_ != instant::max();
    const bool ran_out = std::exchange(ran_out_, false);
    const bool invited = ran_out || chance_at_ != instant::max();
    if (sight_.take_change_of_holder())
        is_not_misled();
    else if (invited)
        was_misled(v.now);
    held_ = {};
    chance_at_ = instant::max();
    counted_again_ = false;
    probe_at_ = v.now + backoff_.next(draws_);
    look_at_ = instant::max();
    choose_arbiter(v.ready, others);
    if (is_narrow() && (needs_the_others || !crowd_)) look_everywhere(v.now);
    if (!needs_the_others && is_better_narrow(v.now)) narrow_down();
    settles_down_ = true;
}

// Who has it now, and for how long? Where changes are told that can wait: most often it is over before.
void lookout::settle_down(instant now) {
    if (has_chance()) return;
    if (is_narrow() && misled_ > 0 && arbiter_) asking_.look.add(*arbiter_);
    if (is_narrow() || (sight_.change_will_be_told() && misled_ == 0))
        look_at_ = now + a_while();
    else
        look_everywhere(now);
}

void lookout::choose_arbiter(node_set ready, const rivals& others) noexcept {
    assert(!others.arbiter || ready.has(*others.arbiter));
    crowd_ = others.crowded;
    if (!arbiter_ || !ready.has(*arbiter_)) arbiter_ = others.arbiter;
}

// A node says that the key is free and refuses it: its reads and writes go to different servers, or it is
// none that a lock can be had from. Once that may be chance.
void lookout::was_misled(instant now) {
    if (++misled_ > 1) not_before_ = now + vain_pause_.next(draws_);
}

void lookout::is_not_misled() noexcept {
    misled_ = 0;
    not_before_ = instant::min();
    vain_pause_.reset();
}

void lookout::listens(unsigned node, bool on_its_way) noexcept {
    sight_.set_told(node, on_its_way);
    if (on_its_way) listening_.add(node);
}

void lookout::gone(unsigned node, instant now) {
    if (arbiter_ == node) arbiter_came_free(now);
    sight_.free(node);
}

// What was done by us: another would have found it taken.
void lookout::written(unsigned node, instant now) noexcept {
    if (sight_.is_ours(node)) return;
    sight_.taken(node);
    dated(node, now);
}

// Nobody knows for how long now, and a holder that dies may be all that is told of it for a while. A lease
// that was handed on to a caller with a shorter ttl runs out sooner than was seen before.
void lookout::dated(unsigned node, instant now) noexcept {
    if (!sight_.is_ours(node)) look_at_ = std::min(look_at_, now + node_timeout_);
}

// Most often it was deleted. If it was only prolonged, a try in vain does no harm, and the look after it
// makes the server tell again, which it does once.
void lookout::changed(unsigned node) noexcept {
    sight_.free(node);
    sight_.set_told(node, false);
}

void lookout::seen_held(unsigned node, std::optional<nanoseconds> left, instant now) noexcept {
    if (!left || *left >= longest_pause) {
        held_.add(node);
        if (held_.size() > nodes_ - majority(nodes_) || (is_narrow() && arbiter_ == node)) is_not_misled();
    }
    if (sight_.is_ours(node)) return;
    if (!left) return sight_.taken(node);
    sight_.taken_until(node, saturating_add(saturating_add(now, *left), rounding));
}

// Asked again, this contender is one of them, and others may have come behind it.
void lookout::counted(unsigned listening) noexcept {
    const unsigned others = std::min(listening, most_counted);
    ahead_ = ahead_ ? std::min(*ahead_, std::max(others, 1u) - 1) : others;
}

void lookout::down(unsigned node) noexcept {
    sight_.set_told(node, false);
    sight_.set_absent(node, true);
}

// Each time one of those goes that came before.
void lookout::arbiter_came_free(instant now) {
    if (std::exchange(had_chance_, true) && ahead_.value_or(0) > 0) --*ahead_;
    quick_ = saturating_add(came_free_, node_timeout_ / 2) > now;
    came_free_ = now;
    // Whoever had it was alive: others may have the key for long, but have not left it there.
    if (is_narrow()) look_at_ = now + a_while();
}

} // namespace redlock::core
