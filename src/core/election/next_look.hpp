#pragma once

#include "core/instant.hpp"

#include <algorithm>
#include <chrono>

namespace redlock::core {

/// How long an observer waits before he looks again who leads, if nothing is told before. Events are never
/// trusted alone, and a value that runs out may be told late.
struct look_plan {
    bool is_told = false;                    ///< a majority of the nodes tells of changes
    bool is_answered = true;                 ///< a majority said what they have
    nanoseconds value_left = nanoseconds(0); ///< until the last of them has run out; 0 when there is none

    static constexpr std::chrono::milliseconds without_news{250};
    static constexpr std::chrono::seconds with_news{10};

    constexpr nanoseconds pause() const noexcept {
        if (!is_told || !is_answered) return without_news;
        if (value_left <= nanoseconds(0)) return with_news;
        return std::min<nanoseconds>(value_left, nanoseconds(with_news)) + std::chrono::milliseconds(1);
    }
};

} // namespace redlock::core
