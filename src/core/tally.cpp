#include "core/tally.hpp"

#include <cassert>

namespace redlock::core {

void tally::record(unsigned node, vote v) noexcept {
    assert(node < nodes_);
    assert(!voted(node));
    votes_[static_cast<unsigned>(v)] |= std::uint64_t{1} << node;
    ++counts_[static_cast<unsigned>(v)];
}

void tally::take_back(unsigned node) noexcept {
    const std::uint64_t bit = std::uint64_t{1} << node;
    for (unsigned v = 0; v < 3; ++v) {
        counts_[v] = static_cast<std::uint8_t>(counts_[v] - ((votes_[v] & bit) != 0));
        votes_[v] &= ~bit;
    }
}

verdict tally::decide() const noexcept {
    const unsigned needed = majority(nodes_);
    if (count(vote::yes) >= needed) return verdict::granted;
    if (count(vote::failed) > nodes_ - needed) return verdict::unreachable;
    if (count(vote::yes) + pending() < needed) return verdict::refused;
    return verdict::open;
}

verdict tally::decide_on_certainty() const noexcept {
    if (count(vote::yes) >= majority(nodes_)) return verdict::granted;
    if (definitely_no()) return verdict::refused;
    return pending() > 0 ? verdict::open : verdict::unreachable;
}

} // namespace redlock::core
