#pragma once

#include "core/instant.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace redlock::core {

/// How long fences live, and on which nodes that of a key was told so a short while ago: there a grant need
/// not say it again. Of a fixed size: of three keys that fall on the same two places the oldest is
/// forgotten, which costs a few commands more.
class fence_life {
public:
    explicit fence_life(std::chrono::milliseconds retention) noexcept : retention_(retention) {}

    /// What a fence is given: the retention, and the time for which it need not be told again.
    std::chrono::milliseconds span() const noexcept { return retention_ + pause(); }

    /// Those of `nodes`, a bit for each, that must be told now. They count as told from then on.
    std::uint64_t untold(std::uint64_t key_hash, std::uint64_t nodes, instant now);
    /// What was told may be lost.
    void forget_all() noexcept { places_.reset(); }

private:
    struct place {
        std::uint64_t key = 0;
        std::uint64_t nodes = 0;
        instant until{};
    };
    static constexpr std::size_t size = 32'768;

    place& place_of(std::uint64_t key_hash) noexcept;
    std::chrono::milliseconds pause() const noexcept { return retention_ / 16; }

    std::chrono::milliseconds retention_;
    std::unique_ptr<std::array<place, size>> places_; ///< null until something was told
};

} // namespace redlock::core
