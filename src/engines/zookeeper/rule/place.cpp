#include "engines/zookeeper/rule/place.hpp"

#include "core/validity.hpp"

#include <algorithm>
#include <utility>

namespace redlock::zookeeper {

namespace {

// Whoever waits for an absent holder is not told when an operator takes the key away from him.
constexpr std::chrono::seconds longest_sleep{1};

core::instant belief_ends(const lock_record& r, core::instant absent_since) noexcept {
    return core::saturating_add(absent_since, core::saturating_nanoseconds(r.life));
}

} // namespace

const place_node* sight::node_of(std::string_view token) const noexcept {
    const auto at = std::ranges::find(nodes, token, &place_node::token);
    return at == nodes.end() ? nullptr : &*at;
}

bool may_believe(const lock_record& r, core::instant absent_since, core::instant now) noexcept {
    return now < belief_ends(r, absent_since);
}

core::instant absence_in(const sight& s, absences& known, const std::string& folder, core::instant now) {
    if (s.holder && !s.node_of(s.holder->token)) return known.missing_since(folder, s.holder->token, now);
    known.forget(folder);
    return core::instant::max();
}

place::step place::wait(step s) const noexcept {
    s.until = std::min(s.until, wait_until_);
    return s;
}

place::step place::start(core::instant now, core::instant not_before) noexcept {
    if (!waits_ || not_before <= now) return {.what = action::look};
    return wait({.what = action::sleep, .until = not_before});
}

place::step place::arrive(bool is_free, bool others_wait, core::instant now) noexcept {
    if (is_free && !others_wait) return {.what = action::take_at_once};
    if (!waits_) return {.what = action::end, .why = errc::held};
    if (now >= wait_until_) return {.what = action::end, .why = errc::wait_timeout};
    has_waited_ = true;
    return {.what = action::queue};
}

place::step place::seen(const sight& s, std::string_view own_token, core::instant absent_since,
                        core::instant now) {
    const place_node* const holders = s.holder ? s.node_of(s.holder->token) : nullptr;
    const bool is_free = !s.holder || (!holders && !may_believe(*s.holder, absent_since, now));
    const place_node* const own = s.node_of(own_token);
    const place_node* before = nullptr;
    bool others_wait = false;
    for (const place_node& n : s.nodes) {
        if (&n == holders || &n == own) continue;
        others_wait = true;
        if (own && n.is_before(*own) && (!before || before->is_before(n))) before = &n;
    }
    if (!has_node_) return arrive(is_free, others_wait, now);
    if (!own) {
        has_node_ = false;
        return {.what = action::anew};
    }
    if (now >= wait_until_) return {.what = action::end, .why = errc::wait_timeout};
    if (before) return wait({.what = action::watch, .watched = before->name});
    if (is_free) return {.what = action::take};
    if (holders) return wait({.what = action::watch, .watched = holders->name});
    return wait({.what = action::sleep,
                 .until = std::min(belief_ends(*s.holder, absent_since), now + longest_sleep)});
}

place::step place::queued() noexcept {
    has_node_ = true;
    return {.what = action::look};
}

place::step place::time_passed(core::instant now) noexcept {
    if (waits_ && has_waited_ && now >= wait_until_) return {.what = action::end, .why = errc::wait_timeout};
    return {.what = action::look};
}

// Who waits for a holder may find the servers away for a while; who has only just come is told so.
place::step place::failed(errc why, core::instant now, core::random& draws) noexcept {
    const bool waits_on = why == errc::no_quorum && waits_ && has_waited_ && now < wait_until_;
    if (!waits_on) return {.what = action::end, .why = why};
    return wait({.what = action::sleep, .until = now + later_.next(draws)});
}

} // namespace redlock::zookeeper
