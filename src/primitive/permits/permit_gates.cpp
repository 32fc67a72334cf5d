#include "primitive/permits/permit_gates.hpp"

#include <tuple>

namespace redlock::primitive {

namespace {

/// All that an acquire is made with; how long a caller waits and whom to stop is its own business.
auto what_counts(const lock_options& o) noexcept {
    return std::tuple(o.mode, o.permits, o.ttl, o.renew, o.max_hold, o.stop_margin, o.lock_delay, o.fencing,
                      o.keep);
}

} // namespace

bool permit_gates::terms::operator==(const terms& other) const noexcept {
    return key == other.key && what_counts(options) == what_counts(other.options);
}

permit_gate* permit_gates::find(const permit_key& key, const lock_options& options) noexcept {
    if (gates_.empty()) return nullptr;
    const auto found = gates_.find(terms{std::string(key.key()), options});
    return found == gates_.end() ? nullptr : found->second.get();
}

permit_gate& permit_gates::open(const std::shared_ptr<lock::lessee>& l, const permit_key& key,
                                const lock_options& options) {
    std::unique_ptr<permit_gate>& at = gates_[terms{std::string(key.key()), options}];
    permit_gate::keeper& here = *this;
    if (!at) at = std::make_unique<permit_gate>(here, l, key, options);
    return *at;
}

void permit_gates::gate_is_idle(permit_gate& gate) noexcept {
    gates_.erase(gates_.find(terms{std::string(gate.key().key()), gate.options()}));
}

} // namespace redlock::primitive
