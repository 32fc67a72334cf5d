// How keys are given back.

#include "engines/etcd/errands.hpp"
#include "engines/etcd/etcd_engine.hpp"

#include <memory>
#include <utility>

namespace redlock::etcd {

void etcd_engine::release(seam::claim_pointer held, core::instant, turn::outcome_waiters&& told, bool lost) {
    const std::unique_ptr<holding> last = std::move(own(*held).held);
    if (!last) return turn::answer(told, turn::code_of(errc::lease_lost));
    if (told.empty() && !last->is_in_doubt() && is_left_to(*last->under())) return;
    const auto how = etcd::release::kind_for(last->where);
    send(*new etcd::release(*this, last->given_back(), last->under(), how, lost, std::move(told)));
}

void etcd_engine::send(etcd::release& r) {
    if (!r.begins()) held_back_.push_back(r);
}

// All leases of a client that closes end, and with each all keys under it, in one step however many they are.
bool etcd_engine::is_left_to(server_lease& under) const noexcept {
    if (!closing_ || left_) return false;
    under.runs_out(false);
    under.take_keys_along();
    return true;
}

void etcd_engine::give_back(stand where, const server_lease_pointer& under) {
    if (where.others.empty() && (under->is_over() || is_left_to(*under))) return;
    const auto how = etcd::release::kind_for(where);
    send(*new etcd::release(*this, std::move(where), under, how, false, {}));
}

void etcd_engine::give_back(const claim& held) {
    const std::unique_ptr<holding> last = std::move(held.held);
    if (last) give_back(last->given_back(), last->under());
}

void etcd_engine::bury(stand where, const server_lease_pointer& under) {
    if (under->is_over() || is_left_to(*under)) return;
    send(*new etcd::release(*this, std::move(where), under, etcd::release::kind::of_try, false, {}));
}

} // namespace redlock::etcd
