#include "lock/lease_waiter.hpp"

namespace redlock::lock {

void answer(lease_waiters& all, boost::system::error_code outcome) noexcept {
    while (!all.empty()) {
        lease_waiter& w = all.front();
        all.pop_front();
        w.lease_answered(outcome);
    }
}

} // namespace redlock::lock
