#include "lock/operation.hpp"

#include <cassert>

namespace redlock::lock {

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

void operation::stop_running() noexcept {
    if (queued_) ready_.remove(*this);
    wanted_ = 0;
    routine_ = routine();
}

void operation::resume() {
    wanted_ = 0;
    routine_.resume();
    if (!routine_.done()) return;
    routine finished;
    std::swap(finished, routine_);
    routine_ended();
}

void ready_queue::run() {
    while (operation* op = first_) {
        remove(*op);
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

} // namespace redlock::lock
