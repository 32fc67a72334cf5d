#include "engines/zookeeper/rule/place.hpp"

#include "core/validity.hpp"

#include <algorithm>
#include <utility>

namespace redlock::zookeeper {

namespace {

// Whoever waits for an absent holder is not told when an operator takes the key away from him.
constexpr std::chrono::seconds longest_sleep{1};

core::instant belief_ends(std::chrono::milliseconds life, core::instant absent_since) noexcept {
    return core::saturating_add(absent_since, core::saturating_nanoseconds(life));
}

} // namespace

const place_node* sight::node_of(std::string_view token) const noexcept {
    const auto at = std::ranges::find(nodes, token, &place_node::token);
    return at == nodes.end() ? nullptr : &*at;
}

const reader_mark* sight::mark_of(std::string_view token) const noexcept {
    const auto at = std::ranges::find(marks, token, &reader_mark::token);
    return at == marks.end() ? nullptr : &*at;
}

bool suffices_for_arrival(const sight& of_nodes, bool record_is_empty, bool reads) noexcept {
    const auto is_in_the_way = [reads](const place_node& n) { return !(reads && n.reads); };
    return record_is_empty || of_nodes.is_shared || std::ranges::any_of(of_nodes.nodes, is_in_the_way);
}

bool may_believe(std::chrono::milliseconds life, core::instant absent_since, core::instant now) noexcept {
    return now < belief_ends(life, absent_since);
}

missing missing_in(const sight& s, absences& known, const std::string& folder, core::instant now) {
    missing found;
    found.marks.assign(s.marks.size(), core::instant::max());
    std::vector<std::string> tokens;
    std::vector<core::instant*> of;
    const auto note = [&](const std::string& token, core::instant& since) {
        if (s.node_of(token)) return;
        tokens.push_back(token);
        of.push_back(&since);
    };
    if (s.holder) note(s.holder->token, found.holder);
    for (std::size_t i = 0; i < s.marks.size(); ++i)
        note(s.marks[i].token, found.marks[i]);
    const std::vector<core::instant> since = known.missing_since(folder, tokens, now);
    for (std::size_t i = 0; i < of.size(); ++i)
        *of[i] = since[i];
    return found;
}

std::vector<std::string> stale_marks(const sight& s, const missing& known, core::instant now,
                                     std::size_t most) {
    std::vector<std::string> found;
    for (std::size_t i = 0; i < s.marks.size() && found.size() < most; ++i)
        if (!may_believe(s.marks[i].life, known.marks[i], now)) found.push_back(s.marks[i].name);
    return found;
}

place::step place::wait(step s) const noexcept {
    s.until = std::min(s.until, wait_until_);
    return s;
}

place::step place::start(core::instant now, core::instant not_before) noexcept {
    if (!waits_ || not_before <= now) return {.what = action::look};
    return wait({.what = action::sleep, .until = not_before});
}

// Readers and whoever comes to a key that readers share take it with a node that is there before.
place::step place::arrive(bool is_free, bool is_shared, bool others_wait, core::instant now) noexcept {
    if (is_free && !others_wait) return {.what = reads_ || is_shared ? action::queue : action::take_at_once};
    if (!waits_) return {.what = action::end, .why = errc::held};
    if (now >= wait_until_) return {.what = action::end, .why = errc::wait_timeout};
    has_waited_ = true;
    return {.what = action::queue};
}

// Of those who have the key, or may believe so, the one who is there; or else when the last belief ends.
place::hindrance place::who_has_it(const sight& s, std::string_view own_token, const missing& known,
                                   core::instant now) const noexcept {
    hindrance found;
    const auto note = [&](const std::string& token, std::chrono::milliseconds life, core::instant since) {
        if (token == own_token) return;
        if (const place_node* node = s.node_of(token))
            found.node = node;
        else if (may_believe(life, since, now))
            found.ends = std::max(found.ends, belief_ends(life, since));
    };
    if (s.holder) note(s.holder->token, s.holder->life, known.holder);
    if (reads_) return found;
    for (std::size_t i = 0; i < s.marks.size(); ++i)
        note(s.marks[i].token, s.marks[i].life, known.marks[i]);
    return found;
}

place::step place::seen(const sight& s, std::string_view own_token, const missing& known, core::instant now) {
    const place_node* const holders = s.holder ? s.node_of(s.holder->token) : nullptr;
    const hindrance has_it = who_has_it(s, own_token, known, now);
    const place_node* const own = s.node_of(own_token);
    const place_node* before = nullptr;
    bool others_wait = false;
    for (const place_node& n : s.nodes) {
        if (&n == holders || &n == own || (reads_ && n.reads)) continue;
        others_wait = true;
        if (own && n.is_before(*own) && (!before || before->is_before(n))) before = &n;
    }
    if (!has_node_) return arrive(!has_it.is_there(), s.is_shared, others_wait, now);
    if (!own) {
        has_node_ = false;
        return {.what = action::anew};
    }
    if (waits_ && now >= wait_until_) return {.what = action::end, .why = errc::wait_timeout};
    if (!before && !has_it.is_there()) return {.what = action::take};
    if (!waits_) return {.what = action::end, .why = errc::held};
    has_waited_ = true;
    if (!before) before = has_it.node;
    if (before) return wait({.what = action::watch, .watched = before->name});
    return wait({.what = action::sleep, .until = std::min(has_it.ends, now + longest_sleep)});
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
