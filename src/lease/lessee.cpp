#include "lease/lessee.hpp"

#include "lease/acquire.hpp"
#include "lease/held_lease.hpp"

#include <utility>
#include <vector>

namespace redlock::lock {

lessee::lessee(lock::settings s, turn::turns& t, engine::engine& e, call_desk* desk)
    : settings_(std::move(s)), turns_(t), engine_(e), desk_(desk), queues_(settings_.handoff_limit) {
    engine_.set_loss_listener(*this);
    engine_.set_holders(*this);
}

lessee::~lessee() { abandon(); }

bool lessee::hand_over(local_turn& turn, const handover& lease) {
    if (!turn.others_wait()) return false;
    if (engine_.others_waited_longer(*lease.of, turn.next())) {
        turn.yield();
        return false;
    }
    if (turn.asks_for_others(now())) engine_.look_for_others(lease.of, *this);
    return turn.hand_over(lease, now());
}

bool lessee::quiet() const noexcept { return acquires_.empty() && leases_.empty(); }

bool lessee::holds_several() const noexcept { return turn::has_several(leases_); }

void lessee::begin_closing() {
    closing_ = true;
    engine_.begin_closing();
    for (acquire& a : acquires_)
        a.close();
    // Closing a lease takes it out of the list, sooner or later.
    std::vector<detail::lease_pointer> all;
    for (const lease_upkeep& l : leases_)
        all.emplace_back(&l.lease());
    for (const auto& l : all)
        l->close();
}

// Losing a lease may take others out of the list, and put new ones in.
void lessee::keys_lost(const std::function<bool(const engine::claim&)>& is_lost) noexcept {
    std::vector<detail::lease_pointer> lost;
    for (const lease_upkeep& l : leases_)
        if (is_lost(*l.lease().claim())) lost.emplace_back(&l.lease());
    for (const auto& l : lost)
        l->lose();
}

void lessee::keys_in_doubt() noexcept {
    for (lease_upkeep& l : leases_)
        l.renew_now();
}

void lessee::abandon() noexcept {
    closing_ = true;
    turns_.calls().shut();
    while (!leases_.empty())
        leases_.front().abandon();
}

} // namespace redlock::lock
