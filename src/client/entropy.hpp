#pragma once

#include "core/entropy.hpp"

namespace redlock::lock {

/// The kernel's random numbers, which are fetched for many tokens at a time, for each thread. A child process
/// made by fork never gets what its parent could. Thread-safe.
core::entropy& system_entropy() noexcept;

} // namespace redlock::lock
