#pragma once

#include "core/instant.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace redlock::core {

/// How long fences live, and for which keys the nodes were told so a short while ago: there a grant need not
/// say it again. Of a fixed size, half a mebibyte: of nine keys that fall on the same eight places the one
/// that was told first is forgotten, which costs a few commands more.
class fence_life {
public:
    explicit fence_life(std::chrono::milliseconds retention) noexcept : retention_(retention) {}

    /// What a fence is given: the retention, and the time for which it need not be told again.
    std::chrono::milliseconds span() const noexcept { return retention_ + pause(); }

    /// Whether the nodes must be told now. They count as told from then on.
    bool must_tell(std::uint64_t key_hash, instant now);
    /// What was told may be lost, or was told to other nodes.
    void forget_all() noexcept { sets_.reset(); }

private:
    // A place has the part of the hash that does not choose the set, and when the telling runs out, in ticks.
    static constexpr unsigned set_bits = 13;
    static constexpr std::size_t sets = std::size_t{1} << set_bits;
    static constexpr std::uint64_t last_tick = (std::uint64_t{1} << set_bits) - 1;
    static constexpr int ticks_of_pause = 16;
    struct alignas(64) set {
        std::array<std::uint64_t, 8> places{};
    };

    static std::uint64_t end_of(std::uint64_t place) noexcept { return place & last_tick; }
    std::uint64_t tick_of(instant now);
    std::chrono::milliseconds pause() const noexcept { return retention_ / 16; }

    std::chrono::milliseconds retention_;
    instant began_{};
    std::unique_ptr<std::array<set, sets>> sets_; ///< null until something was told
};

} // namespace redlock::core
