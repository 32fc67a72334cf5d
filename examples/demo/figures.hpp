#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace demo {

/// What the show measured.
struct figures {
    std::uint64_t grants = 0;   ///< increments that the processes say they made
    std::uint64_t counted = 0;  ///< the number in the file
    std::uint64_t refusals = 0; ///< attempts that did not get the lock
    std::chrono::nanoseconds node_failure_to_grant{0};
    std::chrono::nanoseconds majority_loss_to_stop{0};
    std::chrono::milliseconds validity_at_stop{0}; ///< by the clock of the process that was told to stop

    /// Increments of which another process's write left nothing. Negative would be just as wrong.
    std::int64_t lost_updates() const noexcept {
        return static_cast<std::int64_t>(grants) - static_cast<std::int64_t>(counted);
    }
    bool as_promised() const noexcept {
        return grants > 0 && lost_updates() == 0 && validity_at_stop > std::chrono::milliseconds(0);
    }
};

/// The short table at the end.
std::string table(const figures& f);

} // namespace demo
