#pragma once

#include "core/instant.hpp"

#include <algorithm>

namespace redlock::core {

/// For how long a key has been handed on from one to the next. It is never free meanwhile, and whoever does
/// not stand in the queue would wait for ever: when the row is over, the key is free for a moment.
class handover_row {
public:
    static constexpr nanoseconds longest = std::chrono::milliseconds(100);

    /// The key came by a hand-over, in a row that its releaser said to be so long. Each hand-over counts for
    /// as much of it that there are at most `limit`.
    void handed(nanoseconds told, unsigned limit, instant now) noexcept {
        const nanoseconds length = std::clamp(told, nanoseconds::zero(), longest) + longest / limit;
        begin_ = std::min(begin_, now - length);
    }
    /// Zero for a key that was free when it was taken.
    nanoseconds length(instant now) const noexcept {
        return begin_ == instant::max() ? nanoseconds::zero()
                                        : std::clamp(now - begin_, nanoseconds::zero(), longest);
    }
    /// The key is to be free for a moment when it is given back.
    void end(instant now) noexcept { begin_ = now - longest; }
    bool is_over(instant now) const noexcept { return length(now) == longest; }

private:
    instant begin_ = instant::max();
};

} // namespace redlock::core
