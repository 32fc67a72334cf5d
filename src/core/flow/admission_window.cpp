#include "core/flow/admission_window.hpp"

#include <algorithm>
#include <cassert>

namespace redlock::core {

namespace {

// So many can do no harm, and keep a far node busy.
constexpr std::size_t least = 16;

// So many answers in good time open the window by one: it doubles in the time of six windows. Before it has
// closed for the first time it opens quicker.
constexpr unsigned answers_for_one = 8;
constexpr unsigned answers_for_one_at_first = 2;

} // namespace

bool admission_window::enter(admission_waiter& w) noexcept {
    if (enter_at_once()) return true;
    queue_behind(last_, w);
    return false;
}

bool admission_window::enter_ahead(admission_waiter& w) noexcept {
    if (enter_at_once()) return true;
    queue_behind(last_ahead_, w);
    last_ahead_ = &w;
    return false;
}

/// `before`: null for the first of all.
void admission_window::queue_behind(admission_waiter* before, admission_waiter& w) noexcept {
    assert(!w.queued_);
    w.queued_ = true;
    w.previous_ = before;
    w.next_ = before ? before->next_ : first_;
    (before ? before->next_ : first_) = &w;
    (w.next_ ? w.next_->previous_ : last_) = &w;
    ++waiting_;
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

void admission_window::set_time(nanoseconds time) noexcept {
    if (time / 2 == slow_) return;
    slow_ = time / 2;
    answers_.set_span(time);
}

// What was borne by few does not show what many would do, so it opens only where it is in the way.
void admission_window::answered(instant sent, instant now) noexcept {
    answers_.add(now);
    if (now - sent > slow_) return close(sent, now, most_);
    if (limit_ == most_ || !is_used()) return;
    if (++in_good_time_ < (has_closed_ ? answers_for_one : answers_for_one_at_first)) return;
    in_good_time_ = 0;
    ++limit_;
}

void admission_window::unanswered(instant sent, instant now) noexcept {
    if (now - sent <= slow_) return;
    const std::size_t answers = answers_.recent(now);
    close(sent, now, answers > 0 ? answers : most_);
}

void admission_window::not_reached() noexcept {
    if (!has_closed_ && limit_ < most_ && is_used()) ++limit_;
}

// To as many as would have been answered in good time, at the pace that was seen: those inside had to wait
// for each other.
void admission_window::close(instant sent, instant now, std::size_t answers) noexcept {
    if (sent <= closed_at_) return;
    closed_at_ = now;
    has_closed_ = true;
    in_good_time_ = 0;
    const double share =
        std::max(0.5, static_cast<double>(slow_.count()) / static_cast<double>((now - sent).count()));
    const auto bearable = static_cast<std::size_t>(static_cast<double>(std::min(inside_, answers)) * share);
    limit_ = std::min(limit_, std::clamp(bearable, std::min(least, most_), most_));
}

bool admission_window::withdraw(admission_waiter& w) noexcept {
    if (!w.queued_) return false;
    unlink(w);
    return true;
}

void admission_window::unlink(admission_waiter& w) noexcept {
    if (last_ahead_ == &w) last_ahead_ = w.previous_;
    (w.previous_ ? w.previous_->next_ : first_) = w.next_;
    (w.next_ ? w.next_->previous_ : last_) = w.previous_;
    w.queued_ = false;
    --waiting_;
}

} // namespace redlock::core
