#pragma once

#include "core/flow/admission_window.hpp"
#include "engines/redis/contest/contest.hpp"
#include "engines/redis/queue/queue_stand.hpp"
#include "engines/redis/watch/key_watch.hpp"
#include "time/timer_queue.hpp"

#include <redlock/detail/pool.hpp>

namespace redlock::redis {

/// What a contest needs only where it has to wait: for a place on the wire, for a holder, for a fencing token
/// for which a proposal was not enough. Apart, so that one that does not wait takes fewer lines of memory.
class contest::waiting final : public detail::pooled,
                               public core::admission_waiter,
                               public time::timer,
                               public watch_listener,
                               public stand_listener {
public:
    explicit waiting(contest& owner) noexcept : owner_(owner) {}

    ~waiting() {
        if (watch) watch->forget_listener();
        if (stand) stand->forget_listener();
    }

    time::instant not_before = time::instant::min(); ///< its start: others are to have a chance first
    key_watch* watch = nullptr;
    queue_stand* stand = nullptr;
    time::instant watches_from = time::instant::max(); ///< beside the queue
    time::instant waits_until = time::instant::max();  ///< in the queue
    detachable_round::pointer<fence_round> fence;

private:
    void key_may_be_free() noexcept override { owner_.raise(may_be_free); }
    void stand_decided() noexcept override { owner_.raise(queue_decided); }
    void holder_is_deaf() noexcept override {
        watches_from = time::instant::min();
        owner_.raise(time_passed);
    }
    void admitted() noexcept override { owner_.raise(is_admitted); }
    void expired(time::instant) noexcept override { owner_.raise(time_passed); }

    contest& owner_;
};

inline contest::waiting& contest::waits() {
    if (!waiting_) waiting_.reset(new waiting(*this));
    return *waiting_;
}
inline key_watch* contest::watch() const noexcept { return waiting_ ? waiting_->watch : nullptr; }
inline queue_stand* contest::stand() const noexcept { return waiting_ ? waiting_->stand : nullptr; }
inline fence_round* contest::fence() const noexcept { return waiting_ ? waiting_->fence.get() : nullptr; }

} // namespace redlock::redis
