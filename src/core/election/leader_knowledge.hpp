#pragma once

#include <redlock/leader_info.hpp>

#include <cstdint>

namespace redlock::core {

/// The highest version of a value. Above it versions stand for "nobody".
inline constexpr std::uint64_t highest_version = ~std::uint64_t{0} >> 1;

/// Whether `a` was proclaimed before `b`.
constexpr bool is_behind(const leader_mark& a, const leader_mark& b) noexcept {
    return a.term != b.term ? a.term < b.term : a.version < b.version;
}

/// What an observer knows of who leads, and which news it may be told: never of what came before that.
class leader_knowledge {
public:
    constexpr explicit leader_knowledge(const leader_mark& known) noexcept : known_(known) {}

    /// That a leader has proclaimed this.
    constexpr bool is_news(const leader_mark& proclaimed) const noexcept {
        return is_behind(last(), proclaimed) || (nobody_led() && proclaimed == last());
    }
    /// That nobody leads.
    constexpr bool nobody_is_news() const noexcept { return !nobody_led(); }
    /// The mark of that: still known is what the last leader had proclaimed.
    constexpr leader_mark mark_of_nobody() const noexcept {
        return {.term = known_.term, .version = known_.version | nobody_bit};
    }

private:
    static constexpr std::uint64_t nobody_bit = ~highest_version;

    constexpr bool nobody_led() const noexcept { return (known_.version & nobody_bit) != 0; }
    constexpr leader_mark last() const noexcept {
        return {.term = known_.term, .version = known_.version & highest_version};
    }

    leader_mark known_;
};

} // namespace redlock::core
