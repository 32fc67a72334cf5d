#include "core/flow/slow_link.hpp"

#include <algorithm>
#include <chrono>

namespace redlock::test {

slow_link::slow_link(const terms& t) : terms_(t), window_(t.most_inside, t.deadline) {
    for (std::size_t i = 0; i < terms_.callers; ++i) {
        callers_.emplace_back(*this, i);
        plan(now_, what::tries_again, callers_.back());
    }
}

void slow_link::run_until(instant end) {
    while (!events_.empty() && events_.top().at <= end) {
        const event next = events_.top();
        events_.pop();
        now_ = next.at;
        happen(next);
        while (!admitted_.empty()) {
            caller& c = callers_[admitted_.front()];
            admitted_.pop_front();
            lock(c);
        }
    }
    now_ = end;
}

void slow_link::happen(const event& e) {
    caller& c = callers_[e.caller];
    if (e.round != c.round) return; // given up
    switch (e.is) {
    case what::tries_again:
        return ask(c);
    case what::lock_answered:
        c.awaits_lock = false;
        window_.answered(c.sent, now_);
        window_.leave();
        return unlock(c);
    case what::unlock_answered:
        done_ += now_ - c.sent <= terms_.deadline;
        ++c.round;
        return ask(c);
    case what::deadline:
        if (c.awaits_lock) run_out(c);
        return;
    }
}

void slow_link::ask(caller& c) {
    if (window_.enter(c)) lock(c);
}

void slow_link::lock(caller& c) {
    c.sent = now_;
    if (now_ < caught_up_) { // refused at once
        window_.unanswered(now_, now_);
        window_.leave();
        return plan(now_ + std::chrono::milliseconds(1), what::tries_again, c);
    }
    c.awaits_lock = true;
    plan(reply_to(terms_.lock_bytes), what::lock_answered, c);
    plan(now_ + terms_.deadline, what::deadline, c);
}

void slow_link::unlock(caller& c) {
    c.sent = now_;
    plan(reply_to(terms_.unlock_bytes), what::unlock_answered, c);
}

void slow_link::run_out(caller& c) {
    ++failed_;
    ++c.round;
    c.awaits_lock = false;
    window_.unanswered(c.sent, now_);
    window_.leave();
    caught_up_ = reply_to(terms_.unlock_bytes); // behind all that was sent
    plan(now_, what::tries_again, c);
}

slow_link::instant slow_link::reply_to(std::size_t bytes) {
    const auto takes = std::chrono::duration<double>(static_cast<double>(bytes) / terms_.bytes_per_second);
    free_ = std::max(free_, now_) + std::chrono::duration_cast<nanoseconds>(takes);
    return free_ + 2 * terms_.way;
}

} // namespace redlock::test
