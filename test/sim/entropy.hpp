#pragma once

#include "sim/dice.hpp"

namespace redlock::sim {

/// Where the tokens of this thread's world come from, in the place of src/client/entropy.cpp. Null between two
/// worlds.
void draw_tokens_from(dice* source) noexcept;

} // namespace redlock::sim
