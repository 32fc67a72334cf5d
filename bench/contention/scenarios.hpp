#pragma once

#include "contention/scenario.hpp"

#include <vector>

namespace bench {

/// Everything that is measured, in order. The first is the hand-off that others are compared with.
std::vector<scenario> all_scenarios(bool quick, bool with_npm);

/// The sweep of processes and holds, and what may disturb the order in which a key goes round.
std::vector<scenario> order_scenarios(bool quick);

/// The other kinds of lock, each beside the exclusive one on the same keys.
std::vector<scenario> kind_scenarios(bool quick);

// The names that checks and charts look for.
inline constexpr const char* handoff_name = "hand-off";
inline constexpr const char* crowd_name = "crowd";
inline constexpr const char* local_name = "local";
inline constexpr const char* order_name = "order";
inline constexpr const char* guest_name = "guest";
inline constexpr const char* kind_name = "kind";

} // namespace bench
