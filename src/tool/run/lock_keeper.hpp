#pragma once

#include "process/lease_end.hpp"
#include "process/partner.hpp"

#include <redlock/config.hpp>
#include <redlock/lock_options.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace redlock::tool {

/// The lock that a command runs under.
struct lock_plan {
    config nodes{};
    std::vector<std::string> keys{};
    lock_options options{};
    std::chrono::milliseconds grace{0};      ///< between SIGTERM and SIGKILL when the lock is lost
    std::optional<std::string> proclaimed{}; ///< the lock is to lead with this value; one key
};

/// The life of the process that keeps the lock: takes it, says `begin`, renews it and writes down in `end`
/// until when it is good, gives it back after `ended`, and says `done`. When the lock is lost it ends the
/// command's group in good time, whatever the supervisor does, and when the supervisor is gone at once.
/// Messages for the user go to standard error.
void keep_lock(channel& line, const lock_plan& plan, lease_end& end);

} // namespace redlock::tool
