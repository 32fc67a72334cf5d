#include "engines/redis/node/cluster/slot_council.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace redlock::node {
namespace {

unsigned owners_in(const slot_view& view) {
    std::set<std::string_view> ids;
    for (const slot_range& range : view)
        ids.insert(range.id);
    return static_cast<unsigned>(ids.size());
}

/// What several servers say alike.
struct opinion {
    const slot_view* view;
    unsigned votes;
};

slot_map map_of(const slot_view& view) {
    slot_map all;
    for (const slot_range& range : view)
        all.set(range.first, range.last, range.owner);
    return all;
}

/// Whom enough of them name as the owner of a slot; null for nobody.
const endpoint* owner_by_votes(const std::vector<opinion>& opinions, const std::vector<slot_map>& maps,
                               std::uint16_t slot, unsigned needed) {
    std::map<std::pair<std::string_view, std::uint16_t>, unsigned> votes;
    for (std::size_t i = 0; i < maps.size(); ++i) {
        const std::size_t number = maps[i].owner_of(slot);
        if (number == slot_map::nobody) continue;
        const endpoint& owner = maps[i].servers()[number];
        if ((votes[{owner.host, owner.port}] += opinions[i].votes) >= needed) return &owner;
    }
    return nullptr;
}

/// Slot by slot, for while slots move nobody need be wrong of the others.
slot_map common_ground(const std::vector<opinion>& opinions, unsigned needed) {
    std::vector<slot_map> maps;
    for (const opinion& o : opinions)
        maps.push_back(map_of(*o.view));
    slot_map found;
    const endpoint* owner = nullptr;
    for (unsigned at = 0; at < hash_slots; ++at) {
        const auto slot = static_cast<std::uint16_t>(at);
        const auto goes_on = [at](const slot_map& m) {
            return m.owner_of(static_cast<std::uint16_t>(at)) ==
                   m.owner_of(static_cast<std::uint16_t>(at - 1));
        };
        if (at == 0 || !std::ranges::all_of(maps, goes_on))
            owner = owner_by_votes(opinions, maps, slot, needed);
        if (owner) found.set(slot, *owner);
    }
    return found;
}

} // namespace

void slot_map::set(std::uint16_t first, std::uint16_t last, const endpoint& owner) {
    // Mostly that of the slot before.
    const std::size_t before = first > 0 ? owner_of(static_cast<std::uint16_t>(first - 1)) : nobody;
    std::size_t number = before;
    if (before == nobody || !(servers_[before] == owner)) {
        const auto known = std::ranges::find(servers_, owner);
        number = static_cast<std::size_t>(known - servers_.begin());
        if (known == servers_.end()) servers_.push_back(owner);
    }
    std::fill(by_slot_.begin() + first, by_slot_.begin() + last + 1, static_cast<std::uint16_t>(number));
}

void slot_council::said(std::string_view id, slot_view view, time::instant asked) {
    const auto known = std::ranges::find(members_, id, &member::id);
    const bool has_slots = std::ranges::find(view, id, &slot_range::id) != view.end();
    if (known != members_.end()) members_.erase(known);
    if (has_slots && members_.size() < most_members)
        members_.push_back({.id = std::string(id), .view = std::move(view), .asked = asked});
}

unsigned slot_council::needed(time::instant now) const {
    unsigned masters = 1;
    for (const member& m : members_)
        if (counts(m, now)) masters = std::max(masters, owners_in(m.view));
    return masters / 2 + 1;
}

unsigned slot_council::speaking(time::instant now) const noexcept {
    return static_cast<unsigned>(
        std::ranges::count_if(members_, [&](const member& m) { return counts(m, now); }));
}

slot_map slot_council::agreed(time::instant now) const {
    std::vector<opinion> opinions;
    for (const member& m : members_) {
        if (!counts(m, now)) continue;
        const auto same = std::ranges::find_if(opinions, [&](const opinion& o) { return *o.view == m.view; });
        if (same == opinions.end())
            opinions.push_back({.view = &m.view, .votes = 1});
        else
            ++same->votes;
    }
    const unsigned enough = needed(now);
    for (const opinion& o : opinions)
        if (o.votes >= enough) return map_of(*o.view);
    return common_ground(opinions, enough);
}

time::instant slot_council::next_change(time::instant now) const noexcept {
    time::instant next = time::instant::max();
    for (const member& m : members_)
        if (counts(m, now)) next = std::min(next, m.asked + life_);
    return next;
}

} // namespace redlock::node
