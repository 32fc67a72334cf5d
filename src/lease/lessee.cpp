#include "lease/lessee.hpp"

#include "lease/acquire/acquire.hpp"
#include "lease/held_lease.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace redlock::lock {

namespace {

// Of more than these the oldest are forgotten. Who remembers none may give a node's part of one back early.
constexpr std::size_t most_kept = 1024;

} // namespace

lessee::lessee(lock::settings s, turn::turns& t, engine::engine& e, call_desk* desk)
    : settings_(std::move(s)), turns_(t), engine_(e), desk_(desk), queues_(settings_.handoff_limit) {
    engine_.set_loss_listener(*this);
    engine_.set_holders(*this);
}

lessee::~lessee() { abandon(); }

bool lessee::hand_over(local_turn& turn, const handover& lease) {
    if (!turn.others_wait()) return false;
    // Who resigns is to be seen to go.
    if (lease.of->leads()) return false;
    if (engine_.others_waited_longer(*lease.of, turn.next())) {
        turn.yield();
        return false;
    }
    if (turn.asks_for_others(now())) engine_.look_for_others(lease.of, *this);
    return turn.hand_over(lease, now());
}

void lessee::keeps(engine::claim_pointer left, time::instant until) {
    std::erase_if(kept_, [&](const kept_key& k) { return k.until <= now(); });
    if (kept_.size() >= most_kept) kept_.pop_front();
    kept_.push_back({std::move(left), until});
}

bool lessee::has_left(std::string_view full_key,
                      const std::function<bool(const engine::claim&)>& is_it) const {
    const auto leaves = [&](const engine::claim& c) { return c.full_key.view() == full_key && is_it(c); };
    return std::ranges::any_of(leases_, [&](const lease_upkeep& l) { return leaves(*l.lease().claim()); }) ||
           std::ranges::any_of(kept_, [&](const kept_key& k) { return k.until > now() && leaves(*k.left); });
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
        if (l.is_held_by(is_lost)) lost.emplace_back(&l.lease());
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
    owned_.abandon();
    kept_.clear();
}

} // namespace redlock::lock
