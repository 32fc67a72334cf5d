#include "node/pending_queue.hpp"

namespace redlock::node {

inline reply_receiver* pending_queue::take_front() noexcept {
    const bool abandoned = slots_.front_number() != live_;
    reply_receiver* const receiver = slots_.front().receiver;
    slots_.pop();
    if (!abandoned) pass_live();
    release_if_idle();
    return abandoned ? nullptr : receiver;
}

void pending_queue::release() noexcept {
    slots_.release();
    deadlines_.release();
}

pending_queue::slot pending_queue::abandon_next() noexcept {
    const slot next = slots_.at(live_);
    pass_live();
    return next;
}

// With many requests on their way the receiver has left the nearer caches by the time the reply comes.
// Replies come many at a time, so it can be fetched while those in front of it are dealt with.
inline void pending_queue::fetch_receiver_ahead() const noexcept {
    constexpr std::size_t ahead = 4;
    if (slots_.size() > ahead) __builtin_prefetch(slots_.at(slots_.front_number() + ahead).receiver, 1);
}

bool pending_queue::answer(const resp::reply& reply) noexcept {
    if (slots_.empty()) return false;
    const std::uint32_t tag = slots_.front().tag;
    fetch_receiver_ahead();
    if (reply_receiver* const receiver = take_front()) receiver->on_reply(tag, reply);
    return true;
}

void pending_queue::pass_over(errc why) noexcept {
    const std::uint32_t tag = slots_.front().tag;
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
