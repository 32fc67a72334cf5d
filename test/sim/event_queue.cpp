#include "sim/event_queue.hpp"

#include <algorithm>
#include <utility>

namespace redlock::sim {

void event_queue::at(nanoseconds when, action what) {
    events_.push_back({std::max(when, now_), numbers_++, std::move(what)});
    std::push_heap(events_.begin(), events_.end(), later);
}

bool event_queue::step() {
    if (events_.empty()) return false;
    std::pop_heap(events_.begin(), events_.end(), later);
    const event next = std::move(events_.back());
    events_.pop_back();
    now_ = next.when;
    ++steps_;
    next.what();
    return true;
}

} // namespace redlock::sim
