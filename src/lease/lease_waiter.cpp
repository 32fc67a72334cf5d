#include "lease/lease_waiter.hpp"

namespace redlock::lock {

void answer_all(lease_waiters& all, const boost::system::error_code& outcome) noexcept {
    lease_waiters taken;
    taken.swap(all);
    while (!taken.empty()) {
        lease_waiter& w = taken.front();
        taken.pop_front();
        w.lease_answered(outcome);
    }
}

} // namespace redlock::lock
