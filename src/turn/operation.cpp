#include "turn/operation.hpp"

#include <cassert>
#include <cstddef>

namespace redlock::turn {

namespace {

constexpr std::size_t line = 64; ///< of the caches

} // namespace

operation::~operation() {
    if (queued_) ready_.remove(*this);
}

void operation::raise(unsigned events) noexcept {
    raised_ |= events;
    if ((raised_ & wanted_) != 0 && !queued_) ready_.push(*this);
}

void operation::run(routine body) {
    assert(!running());
    routine_ = std::move(body);
    resume();
}

void operation::await(unsigned events) noexcept {
    assert(!running());
    wanted_ = events;
    if ((raised_ & wanted_) != 0 && !queued_) ready_.push(*this);
}

void operation::stop_running() noexcept {
    if (queued_) ready_.remove(*this);
    wanted_ = 0;
    routine_ = routine();
}

void operation::resume() {
    wanted_ = 0;
    if (!running()) return events_came();
    routine_.resume();
    if (!routine_.done()) return;
    routine finished;
    std::swap(finished, routine_);
    routine_ended();
}

// With many locks in flight it has all left the nearer caches by the time the nodes have answered.
void operation::fetch_ahead() const noexcept {
    const char* const self = reinterpret_cast<const char*>(this);
    for (std::size_t i = 0; i < 5; ++i) // an acquire
        __builtin_prefetch(self + line * i, 1);
}

// This comes while the one in front is dealt with.
void operation::fetch() const noexcept {
    fetch_ahead();
    if (!running()) return;
    const char* const frame = static_cast<const char*>(routine_.address());
    for (std::size_t i = 0; i < 3; ++i) // that of a contender
        __builtin_prefetch(frame + line * i, 1);
}

void ready_queue::run() {
    while (operation* op = first_) {
        remove(*op);
        if (first_) first_->fetch();
        op->resume();
    }
}

void ready_queue::push(operation& op) noexcept {
    op.queued_ = true;
    op.next_ = nullptr;
    op.previous_ = last_;
    (last_ ? last_->next_ : first_) = &op;
    last_ = &op;
}

void ready_queue::remove(operation& op) noexcept {
    (op.previous_ ? op.previous_->next_ : first_) = op.next_;
    (op.next_ ? op.next_->previous_ : last_) = op.previous_;
    op.queued_ = false;
}

} // namespace redlock::turn
