#pragma once

#include "core/instant.hpp"

#include <cstdint>

namespace redlock::core {

/// How soon one that stands in queues looks again whether the key is its own, where nobody tells it: the
/// later, the longer the present holder has had the key and the more others are ahead of it. So what it is
/// late by is a part of what it waited for.
class untold_pace {
public:
    /// `life` is that of a key that is handed over: it must not run out unseen.
    untold_pace(nanoseconds life, nanoseconds node_timeout) noexcept
        : life_(life), node_timeout_(node_timeout) {}

    /// A node has said who has the key, and how many are ahead.
    void saw(std::uint64_t holder, unsigned ahead, instant now) noexcept;
    /// Between two looks at one node or another. No less than a round trip. `alone`: nothing else shows that
    /// the key became free.
    nanoseconds pause(nanoseconds round_trip, bool alone, instant now) const noexcept;
    /// Within which it shows itself at each node.
    nanoseconds longest_pause() const noexcept;

    unsigned ahead() const noexcept { return ahead_; }
    /// The last that was named, before this one had any vote.
    std::uint64_t holder() const noexcept { return holder_; }

private:
    const nanoseconds life_;
    const nanoseconds node_timeout_;
    std::uint64_t holder_ = 0;
    unsigned ahead_ = 0;
    unsigned times_passed_over_ = 0;
    instant since_ = instant::max();       ///< of that holder
    instant passed_over_ = instant::min(); ///< the last time that another followed it, and not the first
};

} // namespace redlock::core
