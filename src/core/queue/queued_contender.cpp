#include "core/queue/queued_contender.hpp"

#include "core/mistake.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

namespace redlock::core {

namespace {

using std::chrono::milliseconds;

// How often it is shown that one still waits: those in front soon take the place of one that stopped, the
// others only must not be forgotten.
constexpr nanoseconds shortest_pause = milliseconds(250);
constexpr nanoseconds longest_pause = longest_belief / shows_until_dead;
constexpr nanoseconds pause_for_each_ahead = milliseconds(200);
// Redis rounds down, and a key still exists in its last millisecond.
constexpr nanoseconds last_millisecond = milliseconds(2);
// Of the age that a server tells: the difference of two times without their fractions.
constexpr nanoseconds age_is_rounded = milliseconds(1);

// So often at once; then only from time to time, lest two yield to each other for ever.
constexpr unsigned most_yields = 3;
constexpr nanoseconds between_yields = std::chrono::seconds(1);
constexpr nanoseconds longest_look_pause = std::chrono::seconds(1);
constexpr nanoseconds shortest_look_pause = std::chrono::microseconds(100);
constexpr nanoseconds shortest_show_pause = milliseconds(1);

} // namespace

nanoseconds pause_in_queue(unsigned ahead) noexcept {
    return std::clamp(std::min(ahead, 1000u) * pause_for_each_ahead, shortest_pause, longest_pause);
}

queued_contender::queued_contender(unsigned nodes, std::uint64_t ticket, const queue_terms& terms)
    : nodes_(static_cast<std::uint8_t>(nodes)),
      ticket_(ticket),
      terms_(terms),
      pace_(terms.life, terms.node_timeout),
      stands_(nodes) {}

void queued_contender::start(std::uint64_t name) noexcept {
    name_ = name;
    votes_ = asked_ = {};
    first_vote_ = look_at_ = instant::max();
    looks_ = false;
    released_ = 0;
    std::ranges::fill(stands_, stand());
}

queued_contender::step queued_contender::next(const view& v) noexcept {
    drop_old_votes(v.now);
    if (has_majority()) return {.what = action::take};
    if (v.hopeless.size() > nodes_ - majority(nodes_)) return {.what = action::fail};
    note_first_vote(v);
    if (is_settled(v.now)) return {.what = action::yield};
    look(v);
    if (const node_set nodes = due(v); !nodes.empty()) return {.what = action::enter, .nodes = nodes};
    return {.what = action::sleep, .until = next_event(v)};
}

void queued_contender::drop_old_votes(instant now) noexcept {
    for (const unsigned node : votes_) {
        if (vote_ends(node) > now) continue;
        votes_.remove(node);
        stands_[node].due = instant::min();
    }
    if (votes_.empty()) first_vote_ = look_at_ = instant::max();
}

// Whoever gave the key back told all nodes at once: the others follow soon, or somebody else has them.
void queued_contender::note_first_vote(const view& v) noexcept {
    if (votes_.empty() || first_vote_ != instant::max()) return;
    first_vote_ = v.now;
    if (!v.untold.empty()) {
        // Of the others nothing comes by itself. They were told at the same time as the one that has
        // answered.
        look_pause_ = std::max<nanoseconds>(v.round_trip, shortest_look_pause);
        look_at_ = v.now;
        // Who gave it back, and is not named, may have it at some of them still.
        yields_from_ = v.now + std::clamp<nanoseconds>(8 * v.round_trip, milliseconds(4), longest_look_pause);
        return;
    }
    look_pause_ = std::clamp<nanoseconds>(2 * v.round_trip, milliseconds(1), longest_look_pause);
    look_at_ = v.now + look_pause_;
}

// Only what was asked after the first vote tells of those who want the key now.
void queued_contender::look(const view& v) noexcept {
    if (look_at_ > v.now) return;
    looks_ = true;
    look_pause_ = std::min(2 * look_pause_, longest_look_pause);
    look_at_ = v.now + look_pause_;
    for (const unsigned node : v.ready - votes_)
        stands_[node].due = instant::min();
}

// Whether a look was answered, and the answers say to give way.
bool queued_contender::is_settled(instant now) noexcept {
    if (!looks_ || !(asked_ - votes_).empty()) return false;
    looks_ = false;
    if (!is_to_yield(now)) return false;
    ++yields_;
    yielded_at_ = now;
    return true;
}

bool queued_contender::is_to_yield(instant now) const noexcept {
    if (planted(mistake::no_yield)) return false;
    if (now < yields_from_) return false;
    if (yields_ >= most_yields && now < yielded_at_ + between_yields) return false;
    const holder* first = nullptr;
    unsigned count = 0;
    for (const unsigned node : node_set::all_of(nodes_) - votes_) {
        const stand& s = stands_[node];
        if (s.seen_from < first_vote_ || s.seen.ticket == 0 || s.seen.name == released_) continue;
        if (first && first->name == s.seen.name)
            ++count;
        else if (!first || std::pair(s.seen.ticket, s.seen.name) < std::pair(first->ticket, first->name))
            first = &s.seen, count = 1;
    }
    // Who has a majority has the key, and what is ours of it will be of use when it is given back.
    return first && count < majority(nodes_) &&
           std::pair(first->ticket, first->name) < std::pair(ticket_, name_);
}

node_set queued_contender::due(const view& v) noexcept {
    node_set nodes;
    if (v.now < holds_off_until_) return nodes;
    for (const unsigned node : v.ready - asked_)
        if (due_at(node, v) <= v.now) nodes.add(node);
    if ((nodes & v.untold).empty() && next_look(v) <= v.now) nodes |= next_of(to_look_at(v));
    if (!(nodes & v.untold).empty()) looked_at_ = v.now;
    return nodes;
}

instant queued_contender::due_at(unsigned node, const view& v) const noexcept {
    const stand& s = stands_[node];
    if (!v.untold.has(node) || votes_.has(node)) return s.due;
    const nanoseconds pause = std::max({pace_.longest_pause(), v.round_trip, shortest_show_pause});
    return std::max(std::min(s.due, saturating_add(s.sent, pause)), s.rests_until);
}

instant queued_contender::next_look(const view& v) const noexcept {
    if (to_look_at(v).empty()) return instant::max();
    const nanoseconds pause = pace_.pause(v.round_trip, !v.silent.empty(), v.now);
    return std::max(saturating_add(looked_at_, pause), holds_off_until_);
}

node_set queued_contender::to_look_at(const view& v) const noexcept {
    node_set nodes = (v.untold & v.ready) - votes_ - asked_;
    for (const unsigned node : nodes)
        if (stands_[node].rests_until > v.now) nodes.remove(node);
    return nodes;
}

node_set queued_contender::next_of(node_set untold) noexcept {
    for (unsigned tried = 0; tried < nodes_; ++tried) {
        last_looked_ = (last_looked_ + 1) % nodes_;
        if (untold.has(last_looked_)) return node_set::just(last_looked_);
    }
    return {};
}

instant queued_contender::next_event(const view& v) const noexcept {
    instant at = std::min(look_at_, next_look(v));
    for (const unsigned node : v.ready - asked_)
        at = std::min(at, std::max(due_at(node, v), holds_off_until_));
    for (const unsigned node : votes_)
        at = std::min(at, vote_ends(node));
    return at;
}

void queued_contender::entered(unsigned node, instant now) noexcept {
    asked_.add(node);
    stands_[node].sent = now;
}

void queued_contender::is_ours(unsigned node, instant sent) noexcept {
    asked_.remove(node);
    count(node, sent);
}

void queued_contender::is_held(unsigned node, const holder& by, instant now) noexcept {
    stand& s = stands_[node];
    asked_.remove(node);
    s.seen = by;
    s.seen_from = s.sent;
    if (votes_.empty()) pace_.saw(by.name, by.ahead, now);
    if (by.ticket != 0 || by.name != s.stranger) s.stranger_from = now;
    s.stranger = by.ticket == 0 ? by.name : 0;
    // Whoever is ahead may have ended with the holder, so that nobody else looks for the end of its key.
    s.due = std::min(saturating_add(now, pause_in_queue(by.ahead)),
                     saturating_add(saturating_add(now, by.left), last_millisecond));
    // Who gives it back need not tell anybody. It is looked for as often as it may be held for as long again.
    if (s.stranger != 0 && by.ahead == 0 && is_held_by_stranger())
        s.due = std::min(s.due, now + std::max<nanoseconds>(now - s.stranger_from, milliseconds(1)));
    if (std::exchange(s.changed, false)) s.due = now;
    if (!votes_.has(node)) return;
    // It was ours once. Where news come another way than answers, it may still be.
    votes_.remove(node);
    s.due = instant::min();
}

bool queued_contender::is_held_by_stranger() const noexcept {
    unsigned nodes = 0;
    for (const unsigned node : node_set::all_of(nodes_) - votes_)
        nodes += stands_[node].stranger != 0;
    return nodes >= majority(nodes_);
}

// The first looks now and then whether somebody came: it hears then when that one is gone, and nobody else is
// let in.
void queued_contender::is_open(unsigned node, nanoseconds left, unsigned ahead, const view& v) noexcept {
    stand& s = stands_[node];
    asked_.remove(node);
    votes_.remove(node);
    s.seen = {};
    s.stranger = 0;
    const nanoseconds until_look = std::min(left, std::max(left / 4, v.round_trip));
    s.due = saturating_add(v.now, ahead == 0 ? until_look : pause_in_queue(ahead));
}

void queued_contender::failed(unsigned node, instant now) noexcept {
    asked_.remove(node);
    stands_[node].due = stands_[node].rests_until = now + terms_.node_timeout;
}

void queued_contender::lost_sight_of(unsigned node) noexcept {
    stands_[node].due = stands_[node].rests_until = instant::min();
}

// All nodes do so at once.
void queued_contender::set_free(unsigned node, const view& v) noexcept {
    if (holds_off_until_ <= v.now) holds_off_until_ = v.now + v.round_trip;
    stands_[node].due = holds_off_until_;
}

void queued_contender::look_again() noexcept {
    for (stand& s : stands_)
        s.due = s.rests_until = instant::min();
}

// With each change one of those ahead may have gone: those behind need not ask what it was.
void queued_contender::changed(unsigned node, bool overtakes) noexcept {
    stand& s = stands_[node];
    if (votes_.has(node)) return;
    if (s.seen.ahead > 0 && --s.seen.ahead > 0) return;
    s.due = instant::min();
    s.changed = overtakes && asked_.has(node);
}

nanoseconds queued_contender::belief_untold() const noexcept {
    return shows_until_dead * std::max(pace_.longest_pause(), terms_.node_timeout);
}

void queued_contender::handed(unsigned node, instant entered, nanoseconds age, std::uint64_t released,
                              instant now) noexcept {
    released_ = released;
    const nanoseconds since = std::max(age - age_is_rounded, nanoseconds::zero());
    const instant from =
        planted(mistake::handed_from_receipt) ? now : std::min(saturating_add(entered, since), now);
    count(node, from);
}

void queued_contender::count(unsigned node, instant from) noexcept {
    stand& s = stands_[node];
    s.vote = votes_.has(node) ? std::max(s.vote, from) : from;
    votes_.add(node);
    s.due = saturating_add(s.vote, terms_.life / 3);
}

instant queued_contender::lives_from() const noexcept {
    assert(has_majority());
    std::array<instant, max_nodes> from{};
    auto end = from.begin();
    for (const unsigned node : votes_)
        *end++ = stands_[node].vote;
    const auto last_needed = from.begin() + (majority(nodes_) - 1);
    std::nth_element(from.begin(), last_needed, end, std::greater<>());
    return *last_needed;
}

} // namespace redlock::core
