#include "engines/pair/side.hpp"

#include "engines/pair/pair_engine.hpp"

#include <algorithm>

namespace redlock::pair {

// What one of the two has lost is lost.
void side::keys_lost(const std::function<bool(const engine::claim&)>& is_lost) noexcept {
    if (at_ == place::first)
        for (contest& c : pair_.contests())
            if (c.held_at_first() && is_lost(*c.held_at_first())) c.first_in_doubt();
    if (pair_.losses())
        pair_.losses()->keys_lost([&](const engine::claim& c) { return is_lost(part_of(c)); });
}

void side::keys_in_doubt() noexcept {
    if (at_ == place::first)
        for (contest& c : pair_.contests())
            c.first_in_doubt();
    if (pair_.losses()) pair_.losses()->keys_in_doubt();
}

const engine::claim* side::holder_of(std::string_view full_key) const noexcept {
    if (const engine::claim* held = pair_.holder_of(full_key)) return &part_of(*held);
    if (at_ == place::second) return nullptr;
    const auto has = std::ranges::find_if(pair_.contests(), [=](const contest& c) {
        return c.held_at_first() && c.held_at_first()->full_key.view() == full_key;
    });
    return has == pair_.contests().end() ? nullptr : has->held_at_first();
}

// Also what is on its way back: the first engine is asked last.
bool side::has_left(std::string_view full_key, const std::function<bool(const engine::claim&)>& is_it) const {
    const auto is_part = [&](const engine::claim& c) { return is_it(part_of(c)); };
    const auto is_left = [&](const release& r) {
        return r.what().full_key.view() == full_key && is_part(r.what());
    };
    return pair_.has_left(full_key, is_part) || std::ranges::any_of(pair_.releases(), is_left);
}

} // namespace redlock::pair
