#include "lease/owned/reentry.hpp"

#include "lease/held_lease.hpp"
#include "lease/owned/owned_lock.hpp"

#include <boost/asio/error.hpp>

#include <utility>

namespace redlock::lock {

reentry::reentry(held_lease& of, std::shared_ptr<owned_lock> lock) noexcept
    : lease_(of), lock_(std::move(lock)) {
    lock_->leases().push_back(*this);
}

void reentry::unlock(lease_waiter& w) {
    if (!lock_) return w.answered(make_error_code(lease_.why_over()));
    leave(&w);
}

void reentry::extend(lease_waiter& w) {
    if (!lock_) return w.answered(make_error_code(lease_.why_over()));
    lock_->extend(w);
}

void reentry::wait_lost(lease_waiter& w) {
    if (!lock_) return w.answered(boost::asio::error::operation_aborted);
    loss_waiters_.push_back(w);
}

void reentry::let_go() noexcept {
    if (lock_) leave(nullptr);
}

void reentry::leave(lease_waiter* told) noexcept {
    turn::list_hook::unlink();
    turn::answer(loss_waiters_, boost::asio::error::operation_aborted);
    const auto left = std::move(lock_);
    left->leave(told);
}

void reentry::grant_is_over(const boost::system::error_code& how) noexcept {
    if (!how) lease_.note_loss();
    lease_.request_stop();
    turn::answer(loss_waiters_, how);
}

} // namespace redlock::lock
