#pragma once

#include "turn/outcome.hpp"

#include <chrono>

namespace redlock::lock {

/// Someone who waits for something to happen to a lease. Leaves the queue when destroyed.
class lease_waiter : public turn::outcome_waiter {
public:
    /// Before it is answered: `wanted_ttl` cannot be, for a lease with these.
    virtual void hears_of_wrong_ttl(std::chrono::milliseconds /*lock_delay*/,
                                    std::chrono::milliseconds /*stop_margin*/) noexcept {}

    std::chrono::milliseconds wanted_ttl{0}; ///< of one who waits for an extension

protected:
    ~lease_waiter() = default;
};

using lease_waiters = turn::live_list<lease_waiter>;

} // namespace redlock::lock
