#include "core/queue/open_door.hpp"

#include <algorithm>
#include <functional>

namespace redlock::core {

namespace {

constexpr int growth = 2;

// Of one that was used: in the end it is no longer than it needs to be.
constexpr nanoseconds shrunk(nanoseconds used) noexcept { return used - used / 8; }

std::uint64_t name_of(std::string_view key) noexcept { return std::hash<std::string_view>()(key); }

} // namespace

void open_door::take(const stranger_sight& s, instant now) noexcept {
    constexpr nanoseconds longest_ago = std::chrono::hours(24);
    door_ = std::clamp(s.door, nanoseconds::zero(), longest);
    seen_at_ = now - std::clamp(s.unseen, nanoseconds::zero(), longest_ago);
    shut_at_ = now - std::clamp(s.shut, nanoseconds::zero(), longest_ago);
    turns_ = s.turns;
    is_guess_ = came_ = false;
}

void open_door::told_of_door(const stranger_sight& s, instant now) noexcept {
    take(s, now);
    is_guess_ = true;
}

void open_door::handed(const stranger_sight& s, instant now) noexcept {
    take(s, now);
    turns_ = std::max(turns_, turns_ + 1);
}

// One node may say that somebody came before another says that the door is shut.
void open_door::shut(const stranger_sight& s, instant now) noexcept {
    const bool came = came_;
    take(s, now);
    came_ = came;
    is_guess_ = !came;
    if (came) door_ /= growth;
}

// Strangers had their chance.
void open_door::found_free(instant now) noexcept {
    shut_at_ = now;
    turns_ = 0;
    is_guess_ = false;
}

// Nobody tries more often than it has an answer.
void open_door::seen(nanoseconds round_trip, instant now) noexcept {
    if (door_ == nanoseconds::zero()) found_free(now);
    const nanoseconds least = std::clamp(2 * round_trip, first, longest);
    door_ = std::max(is_guess_ ? door_ / growth : door_, least);
    seen_at_ = now;
    is_guess_ = false;
    came_ = true;
}

void open_door::used(nanoseconds round_trip, instant now) noexcept {
    const bool was_guess = is_guess_;
    seen(round_trip, now);
    if (was_guess) door_ = std::max(shrunk(door_), first);
    found_free(now);
}

// When none was seen for long the doors become shorter, and are no more frequent: they cost less and less.
nanoseconds open_door::faded(nanoseconds door, instant now) const noexcept {
    const auto fresh = static_cast<double>(freshness.count());
    const auto unseen = static_cast<double>((now - seen_at_).count());
    const double part = fresh / std::max(unseen, fresh);
    const nanoseconds left(static_cast<nanoseconds::rep>(part * static_cast<double>(door.count())));
    return left < shortest ? nanoseconds::zero() : left;
}

nanoseconds open_door::opens_for(instant now) const noexcept {
    if (turns_ < fewest_turns) return nanoseconds::zero();
    const nanoseconds since = now - shut_at_;
    const nanoseconds door = std::min(door_, std::max(2 * first, longest_in_turns * (since / turns_)));
    return door <= since / (parts - 1) ? faded(door, now) : nanoseconds::zero();
}

stranger_sight open_door::sight(instant now) const noexcept {
    return {.door = door_, .unseen = now - seen_at_, .shut = now - shut_at_, .turns = turns_};
}

stranger_sight open_door::sight_behind(nanoseconds door, instant now) const noexcept {
    // The moment for which any key is free is no door: it says nothing that nobody used it.
    if (door == nanoseconds::zero()) return sight(now);
    return {.door = std::min(door * growth, longest), .unseen = now - seen_at_ + door, .shut{}, .turns = 0};
}

open_door* open_doors::find(std::string_view key) const noexcept {
    if (!places_) return nullptr;
    const std::uint64_t name = name_of(key);
    place& p = (*places_)[name % size];
    return p.key == name ? &p.door : nullptr;
}

open_door& open_doors::at(std::string_view key) {
    if (!places_) places_ = std::make_unique<std::array<place, size>>();
    const std::uint64_t name = name_of(key);
    place& p = (*places_)[name % size];
    if (p.key != name) p = {.key = name, .door = {}};
    return p.door;
}

} // namespace redlock::core
