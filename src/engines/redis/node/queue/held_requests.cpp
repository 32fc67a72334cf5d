#include "engines/redis/node/queue/held_requests.hpp"

#include <algorithm>
#include <utility>

namespace redlock::node {

bool held_requests::push(const request& r) {
    if (waiting_.size() >= request_limit_ || r.command.size() > byte_limit_ - bytes_) return false;
    const auto deadline = waiting_.empty() ? r.deadline : std::max(r.deadline, waiting_.back().deadline);
    waiting_.push_back({std::string(r.command), r.receiver, r.tag, deadline, r.subscription, r.server});
    bytes_ += r.command.size();
    return true;
}

std::optional<held_request> held_requests::take() {
    if (waiting_.empty()) return std::nullopt;
    std::optional<held_request> oldest(std::move(waiting_.front()));
    waiting_.pop_front();
    bytes_ -= oldest->command.size();
    return oldest;
}

std::size_t held_requests::expire(time::instant now) noexcept {
    std::size_t expired = 0;
    for (; !waiting_.empty() && waiting_.front().deadline <= now; ++expired)
        drop_front(errc::node_timeout);
    return expired;
}

void held_requests::fail_all(errc why) noexcept {
    while (!waiting_.empty())
        drop_front(why);
}

void held_requests::clear() noexcept {
    waiting_.clear();
    bytes_ = 0;
}

void held_requests::drop_front(errc why) noexcept {
    const auto receiver = waiting_.front().receiver;
    const auto tag = waiting_.front().tag;
    bytes_ -= waiting_.front().command.size();
    waiting_.pop_front();
    if (receiver != nullptr) receiver->on_failure(tag, why);
}

} // namespace redlock::node
