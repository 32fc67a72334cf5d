#include "engines/redis/watch/watches.hpp"

#include <redlock/observer.hpp>

#include <algorithm>

namespace redlock::redis {

void watches::set_nodes(unsigned count) {
    probe_listener& listener = *this;
    for (std::uint32_t node = 0; node < count; ++node)
        probes_.push_back(std::make_unique<event_probe>(quorum_, node, listener));
}

void watches::add(std::string_view full_key, key_ear& e) { by_key_.emplace(full_key, &e); }

void watches::remove(std::string_view full_key, const key_ear& e) noexcept {
    auto [found, end] = by_key_.equal_range(full_key);
    while (found != end && found->second != &e)
        ++found;
    if (found != end) by_key_.erase(found);
}

bool watches::is_heard_by_another(std::string_view full_key, const key_ear& e,
                                  std::uint32_t node) const noexcept {
    const auto [first, end] = by_key_.equal_range(full_key);
    return std::any_of(first, end,
                       [&](const auto& one) { return one.second != &e && one.second->hears(node); });
}

void watches::changed(std::string_view full_key, std::uint32_t node, key_change::kind what) {
    const auto [first, end] = by_key_.equal_range(full_key);
    for (auto each = first; each != end; ++each)
        each->second->changed(node, what);
}

void watches::node_ready(std::uint32_t node) {
    const bool known = quorum_.session_of(node).wakeup() != wakeup::automatic;
    if (!known && quorum_.settings().wakeup == wakeup::timed) return wakeup_found(node, wakeup::timed);
    find_out(node);
    for (const auto& [key, watch] : by_key_)
        watch->listen(node);
}

void watches::find_out(std::uint32_t node) {
    const session& s = quorum_.session_of(node);
    if (s.wakeup() != wakeup::automatic || !s.is_ready()) return;
    // Whoever listens apart begins when the ear is there.
    if (!s.listens_apart() || s.ear().state() == node::health::ready) probes_[node]->start();
}

void watches::node_down(std::uint32_t node) {
    for (const auto& [key, watch] : by_key_)
        watch->node_down(node);
}

// Whatever was not told while there was none is found by looking.
void watches::ear_ready(std::uint32_t node) {
    find_out(node);
    if (quorum_.session_of(node).wakeup() == wakeup::keyspace_events)
        for (const auto& [key, watch] : by_key_)
            watch->listen(node);
}

void watches::ear_down(std::uint32_t node) {
    for (const auto& [key, watch] : by_key_)
        watch->deafened(node);
}

void watches::wakeup_found(std::uint32_t node, redlock::wakeup found) noexcept {
    session& s = quorum_.session_of(node);
    s.set_wakeup(found);
    if (found == wakeup::automatic) return;
    if (observer* o = quorum_.observer()) o->wakeup_changed(s.node().name(), found);
    for (const auto& [key, watch] : by_key_)
        watch->listen(node);
}

void watches::take_push(std::uint32_t node, const resp::reply& message) {
    probes_[node]->hear(message);
    if (by_key_.empty()) return;
    const session& s = quorum_.session_of(node);
    if (const auto change = read_keyspace_event(message, s.node().server().database)) {
        changed(change->key, node, change->what);
        return;
    }
    read_invalidation(message, [&](std::string_view key) {
        if (key.empty())
            for (const auto& [name, watch] : by_key_)
                watch->changed(node, key_change::kind::changed);
        else
            changed(key, node, key_change::kind::changed);
    });
}

} // namespace redlock::redis
