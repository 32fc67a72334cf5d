// What holders of keys proclaim, and who hears of it.

#include "engines/memory/store.hpp"

namespace redlock::memory {

errc store::proclaim(std::string_view key, std::uint64_t claim, const leader_info& leads) {
    const std::lock_guard<std::mutex> locked(mutex_);
    if (const errc failed = request_fails(); failed != errc{}) return failed;
    entry* const e = find(key);
    if (!e || e->holder != claim) return errc::lease_lost;
    set_leader(*e, leads);
    return errc{};
}

void store::observe(mailbox& box, bool begins) noexcept {
    const std::lock_guard<std::mutex> locked(mutex_);
    begins ? ++box.observes : --box.observes;
}

void store::set_leader(entry& e, const leader_info& leads) {
    if (e.leader && e.leader->mark == leads.mark) return;
    e.leader = leads;
    tell_observers();
}

void store::drop_leader(entry& e) noexcept {
    if (!e.leader) return;
    e.leader.reset();
    tell_observers();
}

void store::tell_observers() noexcept {
    for (mailbox* const box : boxes_)
        if (box->observes > 0) {
            box->leaders_changed = true;
            notify(*box);
        }
}

} // namespace redlock::memory
