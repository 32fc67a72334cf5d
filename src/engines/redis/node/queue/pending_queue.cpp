#include "engines/redis/node/queue/pending_queue.hpp"

namespace redlock::node {

void pending_queue::release() noexcept {
    slots_.release();
    deadlines_.release();
    room_ = 0;
}

pending_queue::slot pending_queue::abandon_next() noexcept {
    const slot next = slots_.at(live_);
    pass_live();
    return next;
}

void pending_queue::pass_over(errc why) noexcept {
    const reply_tag tag = slots_.front().tag;
    if (reply_receiver* const receiver = take_front()) receiver->on_failure(tag, why);
}

void pending_queue::expire_subscriptions(time::instant now) noexcept {
    while (next_deadline() <= now && slots_.at(live_).subscription) {
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
    slots_.clear();
    deadlines_.clear();
    live_ = slots_.back_number();
    release_if_idle();
}

} // namespace redlock::node
