#include "node/pending_queue.hpp"

namespace redlock::node {
namespace {

constexpr std::size_t smallest_ring = 64;
/// An idle queue keeps a ring of up to this many slots; a larger one was grown by a burst.
constexpr std::size_t largest_idle_ring = 4096;

} // namespace

void pending_queue::grow() {
    const std::size_t wider = capacity_ == 0 ? smallest_ring : capacity_ * 2;
    auto ring = std::make_unique<slot[]>(wider);
    for (auto number = front_; number != back_; ++number)
        ring[number & (wider - 1)] = at(number);
    slots_ = std::move(ring);
    capacity_ = wider;
}

void pending_queue::release_if_idle() noexcept {
    if (front_ != back_ || capacity_ <= largest_idle_ring) return;
    slots_.reset();
    capacity_ = 0;
}

bool pending_queue::answer(const resp::reply& reply) noexcept {
    if (front_ == back_) return false;
    const bool abandoned = front_ != live_;
    const slot answered = at(front_++);
    if (!abandoned) live_ = front_;
    release_if_idle();
    if (!abandoned && answered.receiver != nullptr) answered.receiver->on_reply(answered.tag, reply);
    return true;
}

void pending_queue::pass_over(errc why) noexcept {
    const bool abandoned = front_ != live_;
    const slot passed = at(front_++);
    if (!abandoned) live_ = front_;
    release_if_idle();
    if (!abandoned && passed.receiver != nullptr) passed.receiver->on_failure(passed.tag, why);
}

void pending_queue::expire_subscriptions(time::instant now) noexcept {
    while (next_deadline() <= now && at(live_).subscription) {
        const slot late = abandon_next();
        if (late.receiver != nullptr) late.receiver->on_failure(late.tag, errc::node_timeout);
    }
}

std::size_t pending_queue::expire(time::instant now) noexcept {
    std::size_t expired = 0;
    while (next_deadline() <= now) {
        const slot late = abandon_next();
        ++expired;
        if (late.receiver != nullptr) late.receiver->on_failure(late.tag, errc::node_timeout);
    }
    return expired;
}

void pending_queue::fail_all(errc why) noexcept {
    while (awaited()) {
        const slot lost = abandon_next();
        if (lost.receiver != nullptr) lost.receiver->on_failure(lost.tag, why);
    }
    clear();
}

void pending_queue::clear() noexcept {
    front_ = live_ = back_;
    release_if_idle();
}

} // namespace redlock::node
