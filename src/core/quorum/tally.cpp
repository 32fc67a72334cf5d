#include "core/quorum/tally.hpp"

namespace redlock::core {

void tally::take_back(unsigned node) noexcept {
    for (unsigned v = 0; v < 3; ++v) {
        counts_[v] = static_cast<std::uint8_t>(counts_[v] - votes_[v].has(node));
        votes_[v].remove(node);
    }
}

verdict tally::decide_on_certainty() const noexcept {
    if (count(vote::yes) >= majority(nodes_)) return verdict::granted;
    if (definitely_no()) return verdict::refused;
    return pending() > 0 ? verdict::open : verdict::unreachable;
}

} // namespace redlock::core
