// What the checker is told of what a visit was granted.

#include "engines/redis/quorum/claim.hpp"
#include "lease/held_lease.hpp"
#include "sim/lead_watch.hpp"
#include "sim/process.hpp"
#include "sim/visit.hpp"

#include <fmt/format.h>

#include <functional>
#include <utility>

namespace redlock::sim {

// All of them, each in its place.
void visit::look_at_set() {
    bool is_whole = set_.size() == plan_.keys.size();
    for (std::size_t i = 0; is_whole && i < set_.size(); ++i)
        is_whole = set_[i] && set_[i].key() == plan_.keys[i];
    if (!is_whole) process_.around().checker.breach("a set was granted that lacks a key");
}

const lock::held_lease* visit::held_by(const lease& l) const {
    for (const lock::lease_upkeep& each : process_.lessee()->leases()) {
        const lock::held_lease& held = each.lease();
        if (held.key() != l.key() || held.is_disowned()) continue;
        // All leases of an owner stand for one that nobody else knows of. Who asks a key of a set whom it
        // stops before the set is granted would have it stop nobody else.
        const bool is_only_one = plan_.options.owner || plan_.kind == lock_kind::set;
        const bool is_it = is_only_one ? held.valid() : held.stop_token() == l.stop_token();
        if (is_it) return &held;
    }
    return nullptr;
}

void visit::tell_checker(std::size_t index) {
    const surroundings& around = process_.around();
    const lock_options& o = plan_.options;
    const lease& granted = at(index);
    std::string name = full_key(index);
    if (o.permits > 1) name += fmt::format(":{}", granted.slot());
    const lock::held_lease* const found = held_by(granted);
    const auto* const claim = found ? static_cast<const redis::claim*>(found->claim().get()) : nullptr;
    const std::string token(claim ? claim->token() : std::string_view());
    const bool reads = claim ? claim->reads() : o.mode == mode::read;
    if (claim && !reads && claim->full_key.view() != name)
        around.checker.breach(fmt::format("operation {} has {} in the place of {}", operations_[index],
                                          claim->full_key.view(), name));
    // What keeps others out.
    if (claim) name = claim->full_key.view();
    const checker::operation of = operations_[index];
    const std::uint64_t fence = granted.fencing_token().value_or(0);
    around.trace("client {} operation {}: granted {} for {} us, fencing token {}", process_.client(),
                 operations_.front(), name, granted.remaining().count() / 1000, fence);
    // Of a set all are over for their holder when one is.
    const bool is_kept_alive =
        !token.empty() && o.renew && o.max_hold == forever && plan_.kind == lock_kind::permits;
    const lease* const held = &granted; // until it is given back
    // Until it is given back.
    std::function<bool()> is_read = [reads] { return reads; };
    if (found && o.mode == mode::write) is_read = [found] { return found->claim()->reads(); };
    around.checker.granted(of,
                           {.valid = [held] { return held->valid(); },
                            .stop_requested = [stop = granted.stop_token()] { return stop.stop_requested(); },
                            .attentive = [by = &process_] { return by->is_attentive(); },
                            .remaining = [held] { return held->remaining(); },
                            .token = token,
                            .ttl = o.ttl,
                            .renews = is_kept_alive,
                            .reads = std::move(is_read),
                            .name = name,
                            .permits = o.permits,
                            .owner = o.owner ? o.owner->identity() : 0});
    around.checker.acquire_over(of);
    if (o.permits > 1 && granted.slot() >= o.permits)
        around.checker.breach(fmt::format("operation {} has permit {} of {}", of, granted.slot(), o.permits));
    if (leads_) around.leaders.leads(of, leads_.term());
    if ((o.fencing || leads_) && fence == 0)
        around.checker.breach(fmt::format("I2: operation {} has no fencing token", of));
    else if (fence != 0 && !token.empty())
        around.checker.fenced(of, fence, process_.fences().began_asking(name, token));
    names_.push_back(std::move(name));
    tokens_.push_back(token);
}

} // namespace redlock::sim
