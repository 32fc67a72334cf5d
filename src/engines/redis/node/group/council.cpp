#include "engines/redis/node/group/council.hpp"

#include <algorithm>
#include <utility>

namespace redlock::node {

void council::said(std::string_view sentinel, testimony t, time::instant asked) {
    const auto found = std::ranges::find(members_, sentinel, &member::name);
    if (found != members_.end()) {
        // Answers of two connections to one Sentinel may overtake each other.
        if (asked < found->asked) return;
        found->said = std::move(t);
        found->asked = asked;
    } else {
        std::erase_if(members_, [&](const member& m) { return !counts(m, asked); });
        if (members_.size() < most_members)
            members_.push_back({.name = std::string(sentinel), .said = std::move(t), .asked = asked});
    }
}

void council::knows_nothing(std::string_view sentinel) noexcept {
    std::erase_if(members_, [&](const member& m) { return m.name == sentinel; });
}

unsigned council::needed(time::instant now) const noexcept {
    if (planted(core::mistake::old_master_believed)) return 1;
    unsigned all = expected_;
    for (const member& m : members_)
        if (counts(m, now)) all = std::max(all, m.said.sentinels);
    return all / 2 + 1;
}

council::candidate council::leading(time::instant now) const {
    std::uint64_t latest = 0;
    for (const member& m : members_)
        if (counts(m, now)) latest = std::max(latest, m.said.epoch);
    std::vector<candidate> all;
    for (const member& m : members_) {
        if (!counts(m, now) || m.said.epoch < latest) continue;
        auto named =
            std::ranges::find_if(all, [&](const candidate& c) { return c.place.at == m.said.master; });
        if (named == all.end())
            named = all.insert(all.end(), {.place = {.at = m.said.master, .since = m.said.since}});
        ++named->votes;
        named->place.since = std::max(named->place.since, m.said.since);
    }
    const auto most = std::ranges::max_element(all, {}, &candidate::votes);
    return most == all.end() ? candidate() : std::move(*most);
}

std::optional<master_place> council::master(time::instant now) const {
    candidate first = leading(now);
    if (first.votes < needed(now)) return std::nullopt;
    return std::move(first.place);
}

unsigned council::agreeing(time::instant now) const { return leading(now).votes; }

time::instant council::next_change(time::instant now) const noexcept {
    auto next = time::instant::max();
    if (planted(core::mistake::old_master_believed)) return next;
    for (const member& m : members_)
        if (counts(m, now)) next = std::min(next, m.asked + life_);
    return next;
}

} // namespace redlock::node
