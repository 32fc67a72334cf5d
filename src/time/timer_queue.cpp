#include "time/timer_queue.hpp"

#include <algorithm>
#include <utility>

namespace redlock::time {

void timer::disarm() noexcept {
    if (queue_) queue_->remove(*this);
}

timer_queue::~timer_queue() {
    for (const auto* timers : {&heap_, &resting_})
        for (timer* t : *timers)
            t->queue_ = nullptr;
}

void timer_queue::arm(timer& t, instant due) {
    if (t.queue_) remove(t);
    if (due == instant::max()) return;
    // In both, so that a timer which was armed before needs no memory to be armed again.
    for (auto* timers : {&heap_, &resting_})
        if (timers->capacity() <= size()) timers->reserve(2 * size() + 1);
    resting_.push_back(&t);
    t.queue_ = this;
    t.due_ = due;
    t.position_ = static_cast<std::uint32_t>(resting_.size() - 1);
    t.rests_ = true;
    first_resting_ = std::min(first_resting_, due);
}

void timer_queue::put_in_order() noexcept {
    for (timer* t : resting_) {
        heap_.push_back(t);
        t->rests_ = false;
        sift_up(heap_.size() - 1);
    }
    resting_.clear();
    first_resting_ = instant::max();
}

std::optional<instant> timer_queue::next() const noexcept {
    if (size() == 0) return std::nullopt;
    return heap_.empty() ? first_resting_ : std::min(heap_.front()->due_, first_resting_);
}

void timer_queue::fire(instant now) noexcept {
    // One at a time from the top: a call may arm, disarm or destroy any other timer. The bound keeps timers
    // that arm themselves for the past from holding the strand for ever.
    for (std::size_t bound = size(); bound > 0; --bound) {
        if (first_resting_ <= now) put_in_order();
        if (heap_.empty() || heap_.front()->due_ > now) return;
        timer& t = *heap_.front();
        remove(t);
        t.expired(now);
    }
}

void timer_queue::remove_from_heap(timer& t) noexcept {
    const std::size_t position = t.position_;
    timer* last = heap_.back();
    heap_.pop_back();
    t.queue_ = nullptr;
    if (last == &t) return;
    place(position, last);
    sift_up(position);
    sift_down(last->position_);
}

void timer_queue::sift_up(std::size_t position) noexcept {
    timer* t = heap_[position];
    while (position > 0) {
        const std::size_t parent = (position - 1) / 2;
        if (heap_[parent]->due_ <= t->due_) break;
        place(position, heap_[parent]);
        position = parent;
    }
    place(position, t);
}

void timer_queue::sift_down(std::size_t position) noexcept {
    timer* t = heap_[position];
    for (;;) {
        std::size_t child = 2 * position + 1;
        if (child >= heap_.size()) break;
        if (child + 1 < heap_.size() && heap_[child + 1]->due_ < heap_[child]->due_) ++child;
        if (t->due_ <= heap_[child]->due_) break;
        place(position, heap_[child]);
        position = child;
    }
    place(position, t);
}

void timer_queue::place(std::size_t position, timer* t) noexcept {
    heap_[position] = t;
    t->position_ = static_cast<std::uint32_t>(position);
}

} // namespace redlock::time
