#pragma once

#include "look/verdict.hpp"

#include <chrono>
#include <cstdint>
#include <string>

namespace redlock::tool {

/// What was seen of a key, look after look.
class key_history {
public:
    using time_point = std::chrono::steady_clock::time_point;

    /// Takes in what a look at `now` came to. Returns what changed since the last one, in words; empty when
    /// nothing did.
    std::string update(const verdict& found, time_point now);

    const verdict& last() const noexcept { return last_; }
    /// When it was first seen as it is now.
    time_point since() const noexcept { return since_; }
    /// How often another holder was seen than the time before.
    std::uint64_t handoffs() const noexcept { return handoffs_; }

private:
    verdict last_{};
    bool known_ = false;
    std::string former_holder_{}; ///< the last one that was seen to hold it
    std::string former_name_{};   ///< as it was shown
    time_point since_{};
    std::uint64_t handoffs_ = 0;
};

} // namespace redlock::tool
