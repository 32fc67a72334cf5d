#include "lease/local_queue.hpp"

#include <algorithm>
#include <utility>

namespace redlock::lock {

namespace {

using std::chrono::milliseconds;

// Others that wait look again after a pause of up to 100 ms when nothing wakes them.
constexpr core::nanoseconds shortest_hold_off = milliseconds(1);
constexpr core::nanoseconds longest_hold_off = milliseconds(100);
// For those who cannot be seen waiting, because they ask from time to time.
constexpr core::nanoseconds longest_run = milliseconds(10);
// How long it holds that nobody was seen to wait.
constexpr core::nanoseconds good_for = milliseconds(2);

} // namespace

local_turn local_queues::enter(const engine::claim_pointer& wanted) {
    const hashed_key key{wanted->full_key};
    if (queues_.find(key) != queues_.end()) return {};
    std::unique_ptr<queue> made(new queue(wanted, key.hash));
    queue& at_key = *made;
    queues_.insert(std::move(made));
    return {*this, at_key};
}

void local_queues::queue_up(local_waiter& w, std::string_view full_key) {
    auto& others = (*queues_.find(hashed_key{full_key}))->others;
    if (!others) others.reset(new crowd);
    others->waiting.push_back(w);
}

local_queues::occupation local_queues::who_has(std::string_view full_key) const {
    const auto found = queues_.find(hashed_key{full_key});
    if (found == queues_.end()) return occupation::nobody;
    return (*found)->held ? occupation::holder : occupation::contender;
}

const engine::claim* local_queues::holder_of(std::string_view full_key) const noexcept {
    const auto found = queues_.find(hashed_key{full_key});
    return found == queues_.end() ? nullptr : (*found)->held;
}

void local_queues::end(queue& q, time::instant now) noexcept {
    q.held = nullptr;
    if (!q.others || q.others->waiting.empty()) {
        queues_.erase(queues_.find(&q));
        return;
    }
    crowd& others = *q.others;
    if (std::exchange(others.yields, false)) {
        others.hold_off_until = time::instant::min();
        others.handovers = 0;
    } else if (others.handovers >= handoff_limit_) {
        others.hold_off_until = now + std::clamp(now - q.granted_at, shortest_hold_off, longest_hold_off);
        others.handovers = 0;
    }
    local_waiter& next = others.waiting.front();
    others.waiting.pop_front();
    next.turn_came({*this, q});
}

void local_queues::nobody_else_waits(std::string_view full_key, time::instant now) noexcept {
    const auto found = queues_.find(hashed_key{full_key});
    if (found != queues_.end() && (*found)->others) (*found)->others->alone_until = now + good_for;
}

void local_turn::granted(const engine::claim& held, time::instant now) noexcept {
    if (!queue_) return;
    queue_->held = &held;
    queue_->granted_at = now;
    if (queue_->others) queue_->others->handovers = 0;
}

bool local_turn::asks_for_others(time::instant now) noexcept {
    local_queues::crowd* const others = waiting_others();
    if (!others || others->handovers < owner_->handoff_limit_ / 2) return false;
    if (now < others->alone_until - good_for / 2 || now < others->asked_at + good_for / 2) return false;
    others->asked_at = now;
    return true;
}

bool local_turn::hand_over(const handover& lease, time::instant now) noexcept {
    local_queues::crowd* const others = waiting_others();
    if (!others) return false;
    const bool alone = now < others->alone_until && now - queue_->granted_at < longest_run;
    if (others->handovers >= owner_->handoff_limit_ && !alone) return false;
    ++others->handovers;
    local_waiter& next = others->waiting.front();
    others->waiting.pop_front();
    next.lease_came(std::move(*this), lease);
    return true;
}

local_queues::crowd* local_turn::waiting_others() const noexcept {
    const bool some = queue_ && queue_->others && !queue_->others->waiting.empty();
    return some ? queue_->others.get() : nullptr;
}

} // namespace redlock::lock
