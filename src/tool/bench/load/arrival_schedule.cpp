#include "bench/load/arrival_schedule.hpp"

#include <utility>

namespace redlock::tool {

arrival_schedule::arrival_schedule(time_point begin, double rate, bool poisson, std::uint64_t seed)
    : begin_(begin), rate_(rate), poisson_(poisson), random_(seed) {}

// Counted from the beginning, so that rounding to the clock's unit does not add up.
arrival_schedule::time_point arrival_schedule::next() {
    gaps_ += poisson_ ? std::exponential_distribution<double>(1)(random_) : 1;
    const std::chrono::duration<double> since(gaps_ / rate_);
    return begin_ + std::chrono::duration_cast<time_point::duration>(since);
}

arrival_queue::arrival_queue(arrival_schedule schedule, std::size_t limit)
    : schedule_(std::move(schedule)), limit_(limit), next_(schedule_.next()) {}

arrival_queue::time_point arrival_queue::take(time_point now) {
    advance(now);
    if (due_.empty()) return std::exchange(next_, schedule_.next());
    const time_point first = due_.front();
    due_.pop_front();
    return first;
}

void arrival_queue::advance(time_point now) {
    for (; next_ <= now; next_ = schedule_.next()) {
        if (due_.size() < limit_)
            due_.push_back(next_);
        else
            ++dropped_;
    }
}

} // namespace redlock::tool
