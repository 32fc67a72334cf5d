// Stands in for src/client/entropy.cpp: tokens and seeds follow from the seed of the world.

#include "sim/entropy.hpp"

#include "client/entropy.hpp"

#include <cassert>

namespace redlock {

namespace sim {

namespace {
thread_local dice* tokens = nullptr;
}

void draw_tokens_from(dice* source) noexcept { tokens = source; }

} // namespace sim

core::lock_token lock::new_token() {
    assert(sim::tokens);
    std::uint8_t bytes[core::lock_token::random_bytes];
    for (std::uint8_t& byte : bytes)
        byte = static_cast<std::uint8_t>(sim::tokens->seed());
    return core::lock_token(bytes);
}

std::uint64_t lock::new_seed() { return sim::tokens->seed(); }

} // namespace redlock
