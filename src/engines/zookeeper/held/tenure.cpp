#include "engines/zookeeper/held/tenure.hpp"

#include <utility>

namespace redlock::zookeeper {

void tenures::begin(claim_pointer of, core::instant until) {
    const claim* const which = of.get();
    all_.try_emplace(which, *this, std::move(of)).first->second.end_at(until);
}

void tenures::prolong(const claim& of, core::instant until) {
    if (const auto at = all_.find(&of); at != all_.end()) at->second.end_at(until);
}

void tenures::one::expired(time::instant) noexcept {
    tenures& in = in_;
    const claim_pointer over = of_;
    in.end(*over); // and with it this
    in.told_.tenure_ended(over);
}

} // namespace redlock::zookeeper
