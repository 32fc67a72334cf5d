#include "core/fence_life.hpp"

#include <functional>

namespace redlock::core {

std::uint64_t fence_life::untold(std::string_view key, std::uint64_t nodes, instant now) {
    if (!places_) places_ = std::make_unique<std::array<place, size>>();
    const std::uint64_t hash = std::hash<std::string_view>()(key);
    place& known = (*places_)[hash % size];
    if (known.key != hash || known.until <= now) known = {.key = hash, .nodes = 0, .until = now + pause()};
    const std::uint64_t untold = nodes & ~known.nodes;
    known.nodes |= nodes;
    return untold;
}

} // namespace redlock::core
