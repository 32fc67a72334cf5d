#pragma once

#include "engine/claim.hpp"
#include "lease/lease_waiter.hpp"

#include <redlock/detail/pool.hpp>

namespace redlock::lock {

/// A lease for writing on its way to be one for reading, and after that.
struct downgrading : detail::pooled {
    lease_waiters waiting;
    engine::claim_pointer reading; ///< by which it is held once that is done
    bool is_asked = false;         ///< the engine
    bool is_done = false;
};

} // namespace redlock::lock
