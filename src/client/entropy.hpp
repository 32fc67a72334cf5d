#pragma once

#include "core/lock_token.hpp"

#include <cstdint>

namespace redlock::lock {

/// A new token from the kernel's random numbers, which are fetched for many tokens at a time, for each
/// thread. A child process made by fork never hands out what its parent could. Throws std::system_error when
/// the kernel gives none.
core::lock_token new_token();

/// A seed for jitter.
std::uint64_t new_seed();

} // namespace redlock::lock
