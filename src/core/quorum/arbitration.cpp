#include "core/quorum/arbitration.hpp"

#include "core/random.hpp"

#include <algorithm>

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

contest_memory::place& contest_memory::renew(std::string_view key, instant now) {
    if (!places_) places_ = std::make_unique<std::array<place, size>>();
    const std::uint64_t name = hash(key);
    place& p = (*places_)[name % size];
    if (p.key != name || now >= p.until) p = {.key = name};
    p.until = now + quiet_while;
    return p;
}

const contest_memory::place* contest_memory::find(std::string_view key, instant now) const noexcept {
    if (!places_) return nullptr;
    const std::uint64_t name = hash(key);
    const place& p = (*places_)[name % size];
    return p.key == name && now < p.until ? &p : nullptr;
}

void contest_memory::refused(std::string_view key, instant now) { renew(key, now); }

void contest_memory::given_back(std::string_view key, bool is_to_be_free, instant now) {
    renew(key, now).was_freed = is_to_be_free;
}

bool contest_memory::was_freed(std::string_view key, instant now) const noexcept {
    const place* p = find(key, now);
    return p && p->was_freed;
}

void contest_memory::lost_race(std::string_view key, instant now) {
    place& p = renew(key, now);
    p.races = std::min(p.races + 2, most_races);
}

void contest_memory::won(std::string_view key) noexcept {
    if (!places_) return;
    const std::uint64_t name = hash(key);
    place& p = (*places_)[name % size];
    if (p.key == name && p.races > 0) --p.races;
}

bool contest_memory::is_contested(std::string_view key, instant now) const noexcept {
    return find(key, now) != nullptr;
}

bool contest_memory::is_crowded(std::string_view key, instant now) const noexcept {
    const place* p = find(key, now);
    return p && p->races >= crowd;
}

} // namespace redlock::core
