#include "engines/etcd/rule/server_leases.hpp"

#include <algorithm>
#include <utility>

namespace redlock::etcd {

server_lease_pointer server_leases::make(std::chrono::seconds ttl, bool is_shared) {
    // One that the client chooses: it can be revoked, whether or not its grant was answered.
    const auto id = static_cast<std::int64_t>(core::draw(random_bits_) >> 1 | 1);
    all_.push_back(std::make_shared<server_lease>(id, ttl, is_shared));
    return all_.back();
}

server_lease_pointer server_leases::shared(std::chrono::milliseconds life) {
    const std::chrono::seconds ttl = server_ttl_for(life);
    const auto same = std::ranges::find_if(all_, [&](const auto& one) {
        return one->is_shared() && one->ttl() == ttl && !one->is_over() && !one->is_retired();
    });
    return same != all_.end() ? *same : make(ttl, true);
}

server_lease_pointer server_leases::own(std::chrono::milliseconds life) {
    return make(server_ttl_for(life), false);
}

core::instant server_leases::due(core::instant now) noexcept {
    core::instant earliest = core::instant::max();
    for (const auto& one : all_)
        earliest = std::min(earliest, one->due(now));
    return earliest;
}

void server_leases::forget(const server_lease& one) noexcept {
    std::erase_if(all_, [&](const auto& each) { return each.get() == &one; });
}

void server_leases::in_doubt() noexcept {
    for (const auto& one : all_)
        one->in_doubt();
}

} // namespace redlock::etcd
