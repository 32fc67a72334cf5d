#pragma once

#include "lease/lease_waiter.hpp"
#include "turn/live_list.hpp"
#include "turn/outcome.hpp"

#include <redlock/detail/pool.hpp>

#include <memory>

namespace redlock::lock {

class held_lease;
class owned_lock;

/// What makes a lease one of several that an owner has of one grant. On the client's strand.
class reentry final : public turn::list_hook, public detail::pooled {
public:
    reentry(held_lease& of, std::shared_ptr<owned_lock> lock) noexcept;

    held_lease& lease() const noexcept { return lease_; }

    void unlock(lease_waiter& w);
    void extend(lease_waiter& w);
    /// While it is not lost.
    void wait_lost(lease_waiter& w);
    void let_go() noexcept;
    /// The grant is lost, or its client closes.
    void grant_is_over(const boost::system::error_code& how) noexcept;

private:
    void leave(lease_waiter* told) noexcept;

    held_lease& lease_;
    std::shared_ptr<owned_lock> lock_; ///< until it was given back
    turn::outcome_waiters loss_waiters_;
};

} // namespace redlock::lock
