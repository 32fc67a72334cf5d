#include "core/admission_window.hpp"

#include <cassert>

namespace redlock::core {

bool admission_window::enter(admission_waiter& w) noexcept {
    assert(!w.queued_);
    if (inside_ < limit_ && !first_) {
        ++inside_;
        return true;
    }
    w.queued_ = true;
    w.next_ = nullptr;
    w.previous_ = last_;
    (last_ ? last_->next_ : first_) = &w;
    last_ = &w;
    ++waiting_;
    return false;
}

void admission_window::leave() noexcept {
    assert(inside_ > 0);
    --inside_;
    if (!first_ || inside_ >= limit_) return;
    admission_waiter& next = *first_;
    unlink(next);
    ++inside_;
    next.admitted();
}

bool admission_window::withdraw(admission_waiter& w) noexcept {
    if (!w.queued_) return false;
    unlink(w);
    return true;
}

void admission_window::unlink(admission_waiter& w) noexcept {
    (w.previous_ ? w.previous_->next_ : first_) = w.next_;
    (w.next_ ? w.next_->previous_ : last_) = w.previous_;
    w.queued_ = false;
    --waiting_;
}

} // namespace redlock::core
