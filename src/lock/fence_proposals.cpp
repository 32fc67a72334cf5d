#include "lock/fence_proposals.hpp"

#include "core/tally.hpp"
#include "lock/acquire_round.hpp"
#include "lock/runtime.hpp"

#include <functional>

namespace redlock::lock {

void fence_proposals::send() {
    if (waiting_.empty()) return;
    const std::hash<std::string> hash;
    const std::uint64_t nodes = least_majority(hash(waiting_.front()->full_key()));
    for (acquire_round* r : waiting_) {
        const std::uint64_t asked = r->send_proposal(nodes);
        if (asked == 0) continue;
        const std::uint64_t untold = runtime_.fences().untold(hash(r->full_key()), asked, runtime_.now());
        if (untold != 0) untold_.push_back({r, untold});
    }
    for (const life& l : untold_)
        l.round->send_fence_life(l.nodes);
    untold_.clear();
    for (acquire_round* r : waiting_)
        r->proposal_sent();
    waiting_.clear();
}

// Those that take requests, another set for each key that is first; all, when they are too few. The fences of
// the others are needed only when one of these fails or was raised by somebody else.
std::uint64_t fence_proposals::least_majority(std::uint64_t key_hash) const {
    const unsigned nodes = runtime_.nodes();
    const std::uint64_t everyone = ~std::uint64_t{0} >> (64 - nodes);
    const auto first = static_cast<std::uint32_t>(key_hash % nodes);
    std::uint64_t chosen = 0;
    unsigned missing = core::majority(nodes);
    for (std::uint32_t i = 0; i < nodes && missing > 0; ++i) {
        const std::uint32_t index = (first + i) % nodes;
        if (!runtime_.session_of(index).is_ready()) continue;
        chosen |= std::uint64_t{1} << index;
        --missing;
    }
    return missing > 0 ? everyone : chosen;
}

} // namespace redlock::lock
