#pragma once

#include "cli/command.hpp"
#include "run/lock_keeper.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace redlock::tool {

/// On what terms a command runs under a lock.
struct run_terms {
    std::vector<std::string> command{};
    std::chrono::milliseconds ttl{10'000};
    std::optional<std::chrono::milliseconds> wait{};
    bool try_once = false;
    bool keeps_passwords = false;
    std::optional<std::chrono::milliseconds> grace{};
    std::chrono::milliseconds lock_delay{0};
    std::optional<std::string> label{};
};

/// The longest time that an option takes.
inline constexpr std::chrono::milliseconds longest_time = std::chrono::hours(24 * 365);

/// The options that set how the lock is waited for.
std::vector<option> options_of_waiting(run_terms& target);
/// Those that set what becomes of the command when the lock is lost, of passwords, and what others see.
std::vector<option> options_of_ending(run_terms& target);

/// Runs the command under what the plan, to which the terms are added, wants, and returns its status or why
/// it did not run. Throws `usage_error`.
int run_on(const run_terms& terms, lock_plan plan);

} // namespace redlock::tool
