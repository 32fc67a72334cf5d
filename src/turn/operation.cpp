#include "turn/operation.hpp"

namespace redlock::turn {

operation::~operation() {
    if (queued_) ready_.remove(*this);
}

void operation::raise(unsigned events) noexcept {
    raised_ |= events;
    if ((raised_ & wanted_) != 0 && !queued_) ready_.push(*this);
}

void operation::await(unsigned events) noexcept {
    wanted_ = events;
    if ((raised_ & wanted_) != 0 && !queued_) ready_.push(*this);
}

void operation::stop_waiting() noexcept {
    if (queued_) ready_.remove(*this);
    wanted_ = 0;
}

void ready_queue::run() {
    while (operation* op = first_) {
        remove(*op);
        op->wanted_ = 0;
        op->events_came();
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
