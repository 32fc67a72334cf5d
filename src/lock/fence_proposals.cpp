#include "lock/fence_proposals.hpp"

#include "core/tally.hpp"
#include "lock/acquire_round.hpp"
#include "lock/runtime.hpp"

#include <functional>

namespace redlock::lock {

void fence_proposals::send() {
    if (waiting_.empty()) return;
    const std::hash<std::string> hash;
    const std::uint64_t nodes = least_majority();
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

// Those that take requests; all, when they are too few. The fences of the others are needed only when one of
// these fails or was raised by somebody else. As long as no node goes away it is the same majority, or every
// fence would come to stand on every node; other clients have others.
std::uint64_t fence_proposals::least_majority() const {
    const unsigned nodes = runtime_.nodes();
    const std::uint64_t everyone = ~std::uint64_t{0} >> (64 - nodes);
    std::uint64_t chosen = 0;
    unsigned missing = core::majority(nodes);
    for (std::uint32_t i = 0; i < nodes && missing > 0; ++i) {
        const auto index = static_cast<std::uint32_t>((start_ + i) % nodes);
        if (!runtime_.session_of(index).is_ready()) continue;
        chosen |= std::uint64_t{1} << index;
        --missing;
    }
    return missing > 0 ? everyone : chosen;
}

} // namespace redlock::lock
