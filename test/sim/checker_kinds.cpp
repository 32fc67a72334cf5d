// What must be so of locks that several may have, and of those that are held in other ways.

#include "sim/checker.hpp"

namespace redlock::sim {

void checker::look_for_others(operation op, const state& s) {
    unsigned with_it = s.is_valid;
    for (const auto& [other_op, other] : running_) {
        if (other_op >= op) break;
        if (!is_held(other) || (!other.is_valid && s.lease.owner == 0) || other.key != s.key) continue;
        look_at_other(op, s, other_op, other);
        with_it += other.is_valid;
    }
    if (!promises_.exclusion || s.lease.permits == 1 || with_it <= s.lease.permits) return;
    breach(fmt::format("I1: {} hold a permit of {}, of which there are {}", with_it, s.key, s.lease.permits));
    promises_.exclusion = false;
}

void checker::look_at_other(operation op, const state& s, operation other_op, const state& other) {
    const bool are_valid = s.is_valid && other.is_valid;
    if (s.lease.owner != 0 && s.lease.owner == other.lease.owner) {
        if (s.is_valid == other.is_valid) return;
        return breach(
            fmt::format("operations {} and {} of one owner have {}, and it is valid for one of them",
                        other_op, op, s.key));
    }
    if (!promises_.exclusion || !are_valid || other.lease.name != s.lease.name) return;
    if (s.lease.reads() && other.lease.reads()) return;
    breach(fmt::format("I1: operations {} (client {}) and {} (client {}) both hold {}", other_op,
                       other.client, op, s.client, s.lease.name));
    promises_.exclusion = false; // once is enough
}

void checker::begins_to_keep(operation op) {
    if (promises_.exclusion) kept_[op] = {.key = of(op).key};
}

void checker::keeps(operation op, nanoseconds until) {
    const auto found = kept_.find(op);
    if (found == kept_.end()) return;
    found->second.until = until;
    for (const auto& [other, at] : found->second.granted)
        if (at < until)
            breach(fmt::format("operation {} was granted {}, which operation {} keeps", other,
                               found->second.key, op));
}

void checker::look_at_kept(operation granted, const std::string& key) {
    for (auto kept = kept_.begin(); kept != kept_.end();) {
        auto& [op, k] = *kept;
        if (k.until && *k.until <= events_.now()) {
            kept = kept_.erase(kept);
            continue;
        }
        if (k.key == key && k.until)
            breach(fmt::format("operation {} was granted {} {} us before operation {} leaves it", granted,
                               key, (*k.until - events_.now()).count() / 1000, op));
        if (k.key == key) k.granted[granted] = events_.now();
        ++kept;
    }
}

} // namespace redlock::sim
