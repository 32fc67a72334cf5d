#include "core/quorum/admission_window.hpp"

#include <algorithm>
#include <cassert>

namespace redlock::core {

namespace {

// So many can do no harm, and keep a far node busy.
constexpr std::size_t least = 16;

// So many answers in good time open the window by one: it doubles in the time of six windows.
constexpr unsigned answers_for_one = 8;

} // namespace

bool admission_window::enter(admission_waiter& w) noexcept {
    assert(!w.queued_);
    if (enter_at_once()) return true;
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
    while (first_ && inside_ < limit_) {
        admission_waiter& next = *first_;
        unlink(next);
        ++inside_;
        next.admitted();
    }
}

void admission_window::answered(instant sent, instant now) noexcept {
    if (now - sent > slow_) return close(sent, now);
    if (limit_ == most_ || ++answers_ < answers_for_one) return;
    answers_ = 0;
    ++limit_;
}

void admission_window::unanswered(instant sent, instant now) noexcept {
    if (now - sent > slow_) close(sent, now);
}

// To as many as would have been answered in good time, at the pace that was seen: those inside had to wait
// for each other.
void admission_window::close(instant sent, instant now) noexcept {
    if (sent <= closed_at_) return;
    closed_at_ = now;
    answers_ = 0;
    const double share =
        std::max(0.5, static_cast<double>(slow_.count()) / static_cast<double>((now - sent).count()));
    const auto bearable = static_cast<std::size_t>(static_cast<double>(inside_) * share);
    limit_ = std::min(limit_, std::clamp(bearable, std::min(least, most_), most_));
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
