#pragma once

#include "core/instant.hpp"
#include "core/random.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

namespace redlock::mariadb {

/// How often to look whether a key is free of whose release nobody tells: the longer its holder has had it,
/// the less often. So a release is found within a part of the hold, and a long hold costs little.
class look_pace {
public:
    static constexpr core::nanoseconds shortest = std::chrono::milliseconds(4);
    static constexpr core::nanoseconds longest = std::chrono::milliseconds(100);
    static constexpr int part_of_hold = 4;

    explicit look_pace(core::instant now) noexcept : since_(now) {}

    /// What a look has found: the fencing token of whoever had it last; nothing where nobody ever had.
    void found(std::optional<std::int64_t> fence, core::instant now) noexcept {
        if (fence == fence_) return;
        fence_ = fence;
        since_ = now;
    }
    /// When to look next. Not all clients at once.
    core::instant next(core::instant now, core::random& draws) const {
        const core::nanoseconds pause = std::clamp((now - since_) / part_of_hold, shortest, longest);
        return now + draws.between(pause / 2, pause);
    }

private:
    std::optional<std::int64_t> fence_;
    core::instant since_; ///< it was seen to change hands
};

} // namespace redlock::mariadb
