#include "core/quorum/availability.hpp"

#include "core/mistake.hpp"
#include "core/quorum/tally.hpp"

#include <algorithm>
#include <bit>

namespace redlock::core {

void availability::taken_until(unsigned node, instant at_latest) noexcept {
    free_ &= ~bit(node);
    ours_ &= ~bit(node);
    until_[node] = at_latest;
}

void availability::free(unsigned node) noexcept {
    free_ |= bit(node);
    ours_ &= ~bit(node);
    until_[node] = instant::min();
}

void availability::ours(unsigned node) noexcept {
    free(node);
    free_ &= ~bit(node);
    ours_ |= bit(node);
}

void availability::give_way() noexcept {
    for (unsigned node = 0; node < nodes(); ++node)
        if (is_ours(node)) taken(node);
}

void availability::set_told(unsigned node, bool told) noexcept {
    told_ = told ? told_ | bit(node) : told_ & ~bit(node);
}

void availability::set_absent(unsigned node, bool absent) noexcept {
    absent_ = absent ? absent_ | bit(node) : absent_ & ~bit(node);
    if (absent) taken(node);
}

std::uint64_t availability::worth_asking(instant now) const noexcept {
    std::uint64_t worth = ~hopeless();
    for (unsigned node = 0; node < nodes(); ++node)
        if (until_[node] <= now) worth |= bit(node) & ~ours_;
    return worth;
}

bool availability::free_on_majority() const noexcept {
    const unsigned needed = planted(mistake::first_event_wakes) ? 1 : majority(nodes());
    return static_cast<unsigned>(std::popcount(free_ | ours_)) >= needed;
}

instant availability::free_by() const {
    std::vector<instant> sorted = until_;
    const auto last_needed = sorted.begin() + (majority(nodes()) - 1);
    std::nth_element(sorted.begin(), last_needed, sorted.end());
    return *last_needed;
}

bool availability::change_will_be_told() const noexcept {
    return static_cast<unsigned>(std::popcount(hopeless())) > nodes() - majority(nodes());
}

} // namespace redlock::core
