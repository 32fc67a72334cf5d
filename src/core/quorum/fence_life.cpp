#include "core/quorum/fence_life.hpp"

#include <algorithm>

namespace redlock::core {

bool fence_life::must_tell(std::uint64_t key_hash, instant now) {
    const std::uint64_t tick = tick_of(now);
    const std::uint64_t name = key_hash & ~last_tick;
    auto& places = (*sets_)[key_hash & last_tick].places;
    std::uint64_t* oldest = places.data();
    for (std::uint64_t& place : places) {
        if ((place & ~last_tick) == name && end_of(place) != 0) {
            if (end_of(place) > tick) return false;
            oldest = &place;
            break;
        }
        if (end_of(place) < end_of(*oldest)) oldest = &place;
    }
    *oldest = name | (tick + ticks_of_pause);
    return true;
}

// Since the first that was told. Everything is forgotten when the ticks run out.
std::uint64_t fence_life::tick_of(instant now) {
    if (sets_) {
        const nanoseconds length = std::max(nanoseconds(pause()) / ticks_of_pause, nanoseconds(1));
        const auto tick = static_cast<std::uint64_t>((now - began_) / length);
        if (tick + ticks_of_pause <= last_tick) return tick;
    }
    sets_ = std::make_unique<std::array<set, sets>>();
    began_ = now;
    return 0;
}

} // namespace redlock::core
