#include "core/arbitration.hpp"

#include "core/random.hpp"

namespace redlock::core {

namespace {

// FNV-1a (Fowler, Noll, Vo), which every build computes alike.
std::uint64_t hash(std::string_view text, std::uint64_t from = 0xcbf29ce484222325u) noexcept {
    for (const char c : text)
        from = (from ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return from;
}

} // namespace

std::uint64_t arbitration_rank(std::string_view key, std::string_view node) noexcept {
    // Mixed, for the last characters reach only the low bits of the hash.
    return random(hash(node, hash(key)))();
}

void contest_memory::contested(std::string_view key, instant now) {
    if (!places_) places_ = std::make_unique<std::array<place, size>>();
    const std::uint64_t name = hash(key);
    (*places_)[name % size] = {.key = name, .until = now + quiet_while};
}

bool contest_memory::is_contested(std::string_view key, instant now) const noexcept {
    if (!places_) return false;
    const std::uint64_t name = hash(key);
    const place& p = (*places_)[name % size];
    return p.key == name && now < p.until;
}

} // namespace redlock::core
