#pragma once

#include "lease/lease_waiter.hpp"
#include "turn/outcome.hpp"

#include <redlock/detail/pool.hpp>

namespace redlock::lock {

/// Who waits for what may never happen to a lease. Few leases have any, so that these are a block apart, made
/// for the first.
struct waiting_callers : detail::pooled {
    lease_waiters extenders;
    lease_waiters being_extended; ///< by the renewal that is under way
    turn::outcome_waiters loss;
};

} // namespace redlock::lock
