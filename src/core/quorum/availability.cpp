#include "core/quorum/availability.hpp"

#include "core/mistake.hpp"
#include "core/quorum/tally.hpp"

#include <algorithm>

namespace redlock::core {

void availability::taken_until(unsigned node, instant at_latest) noexcept {
    free_.remove(node);
    ours_.remove(node);
    until_[node] = at_latest;
}

void availability::free(unsigned node) noexcept {
    free_.add(node);
    ours_.remove(node);
    until_[node] = instant::min();
}

void availability::ours(unsigned node) noexcept {
    free(node);
    free_.remove(node);
    ours_.add(node);
}

void availability::give_way() noexcept {
    for (unsigned node = 0; node < nodes(); ++node)
        if (is_ours(node)) taken(node);
}

void availability::refused_for(std::size_t holder) noexcept {
    if (std::ranges::find(holders_, holder) != holders_.end()) return;
    holders_[eldest_] = holder;
    eldest_ = static_cast<std::uint8_t>((eldest_ + 1) % remembered);
    holder_changed_ = true;
}

void availability::set_told(unsigned node, bool told) noexcept { told_.set(node, told); }

void availability::set_absent(unsigned node, bool absent) noexcept {
    absent_.set(node, absent);
    if (absent) taken(node);
}

node_set availability::worth_asking(instant now) const noexcept {
    node_set worth = node_set::all_of(nodes()) - hopeless();
    for (unsigned node = 0; node < nodes(); ++node)
        if (until_[node] <= now && !is_ours(node)) worth.add(node);
    return worth;
}

bool availability::free_on_majority() const noexcept {
    const unsigned needed = planted(mistake::first_event_wakes) ? 1 : majority(nodes());
    return (free_ | ours_).size() >= needed;
}

instant availability::free_by() const {
    std::vector<instant> sorted = until_;
    const auto last_needed = sorted.begin() + (majority(nodes()) - 1);
    std::nth_element(sorted.begin(), last_needed, sorted.end());
    return *last_needed;
}

instant availability::told_until() const {
    if (!change_will_be_told()) return instant::min();
    std::vector<instant> ends;
    for (const unsigned node : hopeless())
        ends.push_back(absent_.has(node) ? instant::max() : until_[node]);
    // So many may run out, and one more makes a majority possible.
    const auto needed =
        ends.begin() + static_cast<std::ptrdiff_t>(ends.size() - (nodes() - majority(nodes())) - 1);
    std::nth_element(ends.begin(), needed, ends.end());
    return *needed;
}

bool availability::change_will_be_told() const noexcept {
    return hopeless().size() > nodes() - majority(nodes());
}

} // namespace redlock::core
