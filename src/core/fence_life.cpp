#include "core/fence_life.hpp"

namespace redlock::core {

std::uint64_t fence_life::untold(std::uint64_t key_hash, std::uint64_t nodes, instant now) {
    if (!places_) places_ = std::make_unique<std::array<place, size>>();
    place& known = place_of(key_hash);
    if (known.key != key_hash || known.until <= now)
        known = {.key = key_hash, .nodes = 0, .until = now + pause()};
    const std::uint64_t untold = nodes & ~known.nodes;
    known.nodes |= nodes;
    return untold;
}

// Where the key stands, or else where the older of two does. They are side by side, in one line of the cache.
fence_life::place& fence_life::place_of(std::uint64_t key_hash) noexcept {
    place& first = (*places_)[key_hash % size & ~std::size_t{1}];
    place& second = *(&first + 1);
    if (first.key == key_hash) return first;
    if (second.key == key_hash) return second;
    return first.until < second.until ? first : second;
}

} // namespace redlock::core
