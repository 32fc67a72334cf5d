// How a cluster's node knows where the slots are, and keeps to whoever has them.

#include "engines/redis/node/cluster/cluster_node.hpp"

#include <algorithm>
#include <utility>

namespace redlock::node {

void cluster_node::slots_told(std::string_view id, slot_view view, time::instant asked) {
    if (stopped_) return;
    if (map_.empty()) meet_all(view);
    council_.said(id, std::move(view), asked);
    decide();
}

// Whoever is named may be one of those whose word is wanted.
void cluster_node::meet_all(const slot_view& view) {
    for (const slot_range& range : view)
        if (!member_at(range.owner) && members_.size() < most_members) meet(range.owner).server().start();
}

void cluster_node::decide() {
    if (stopped_) return;
    const auto now = time_.now();
    slot_map found = council_.agreed(now);
    believed_until_ = council_.next_change(now);
    if (!(found == map_)) adopt(std::move(found), now);
    reconsider();
    arm();
}

void cluster_node::adopt(slot_map found, time::instant now) {
    const bool moved = guard_what_moved(found, now);
    layouts_ += found != map_;
    map_ = std::move(found);
    connect_to_owners();
    is_new_ = is_new_ || moved;
    if (moved && !stopped_) listener_.on_node_moved(index_);
}

// Keys move along with their slot, unless somebody has moved it by force, or it went to a replica that lacks
// what its master had done last.
bool cluster_node::guard_what_moved(const slot_map& found, time::instant now) {
    bool moved = false;
    slot_map known;
    for (unsigned at = 0; at < hash_slots; ++at) {
        const auto slot = static_cast<std::uint16_t>(at);
        const std::size_t before = last_known_.owner_of(slot);
        const std::size_t after = found.owner_of(slot);
        if (after == slot_map::nobody) {
            if (before != slot_map::nobody) known.set(slot, last_known_.servers()[before]);
            continue;
        }
        known.set(slot, found.servers()[after]);
        if (before == slot_map::nobody || last_known_.servers()[before] == found.servers()[after]) continue;
        moved = true;
        if (guards()) guard_ends_ = guarded_[slot] = now + each_.restart_guard + council_.life();
    }
    last_known_ = std::move(known);
    return moved;
}

// One that was a replica when it was connected to has been promoted since, and is asked anew who it is.
void cluster_node::connect_to_owners() {
    for (const endpoint& at : map_.servers()) {
        const auto known = std::ranges::find_if(members_, [&](const auto& m) { return m->at() == at; });
        if (known != members_.end()) {
            if (!(*known)->was_replica()) continue;
            let_go(known);
        }
        if (stopped_ || members_.size() >= most_members) return;
        meet(at).server().start();
    }
}

// What a server that has no slots any more was sent is answered, or fails, before it is let go.
void cluster_node::retire_idle() {
    for (std::size_t i = 0; i < members_.size();) {
        const cluster_member& m = *members_[i];
        const bool has_slots = std::ranges::find(map_.servers(), m.at()) != map_.servers().end();
        const bool is_named = std::ranges::find(cluster_.members, m.at()) != cluster_.members.end();
        if (has_slots || is_named || m.errands > 0 || map_.empty()) {
            ++i;
            continue;
        }
        let_go(members_.begin() + static_cast<std::ptrdiff_t>(i));
        is_new_ = true; // what it was told last may not have been done
    }
    if (is_new_) reconsider();
}

// It may be the one in whose turn this happens, which has to come to its end: it is stopped later.
void cluster_node::let_go(std::vector<std::unique_ptr<cluster_member>>::iterator of) {
    look_at_retired_ = time_.now();
    retired_.push_back(std::move(*of));
    members_.erase(of);
    cluster_member& gone = *retired_.back();
    for (auto& [slot, taken] : courses_)
        if (taken.at == &gone) taken.at = nullptr;
    arm();
}

cluster_member* cluster_node::member_at(const endpoint& at) const noexcept {
    const auto found = std::ranges::find_if(members_, [&](const auto& m) { return m->at() == at; });
    return found == members_.end() ? nullptr : found->get();
}

} // namespace redlock::node
