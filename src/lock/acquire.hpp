#pragma once

#include "core/backoff.hpp"
#include "lock/acquire_round.hpp"
#include "lock/lock_request.hpp"
#include "lock/operation.hpp"
#include "lock/runtime.hpp"
#include "time/timer_queue.hpp"

#include <memory>
#include <stop_token>
#include <string>

namespace redlock::lock {

class held_lease;

/// Told how an acquire came out.
class acquire_listener {
public:
    virtual void granted(std::shared_ptr<held_lease> held) noexcept = 0;
    /// 0 stands for "cancelled by the caller".
    virtual void not_granted(errc why) noexcept = 0;
    /// After one of the two: nothing refers to the acquire any more, it may be destroyed.
    virtual void acquire_over() noexcept = 0;

protected:
    ~acquire_listener() = default;
};

/// One logical acquire from the call to the grant or the refusal: try, wait while somebody else holds the
/// key, try again. Whatever it took without being granted the lease is released behind its back.
class acquire final : private operation,
                      private core::admission_waiter,
                      private time::timer,
                      public list_hook {
public:
    acquire(std::shared_ptr<runtime> r, std::shared_ptr<const claim> c, const lock_terms& terms,
            std::stop_source stop, acquire_listener& listener);

    void start();
    void cancel() noexcept { raise(cancelled); }
    void close() noexcept { raise(closing); }

private:
    enum event : unsigned {
        is_admitted = 1,
        is_decided = 2,
        is_settled = 4,
        time_passed = 8,
        cancelled = 16,
        closing = 32,
        ends = cancelled | closing
    };

    routine contend();
    void leave_window() noexcept;
    /// Draws the conclusion from a round: true when the acquire has its outcome, false when it is to be tried
    /// again.
    bool is_over(unsigned events);
    static errc reason_of(unsigned events) noexcept { return events & cancelled ? errc{} : errc::closed; }
    bool take_grant();
    void release_votes();
    void finish(errc why) noexcept;
    errc refusal_of_round() noexcept;
    time::instant next_try() noexcept;
    /// How long it may take to get a place on the wire: one attempt without waiting for others takes the time
    /// it takes.
    time::instant patience() const noexcept {
        return terms_.wait == core::nanoseconds::zero() ? time::instant::max() : wait_until_;
    }
    bool wait_is_over() const noexcept { return runtime_->now() >= wait_until_; }

    void admitted() noexcept override { raise(is_admitted); }
    void expired(time::instant) noexcept override { raise(time_passed); }
    void routine_ended() noexcept override;

    std::shared_ptr<runtime> runtime_;
    std::shared_ptr<const claim> claim_;
    lock_terms terms_;
    std::stop_source stop_;
    acquire_listener& listener_;
    acquire_round round_;
    core::backoff backoff_;
    time::instant began_at_;
    time::instant wait_until_;
};

} // namespace redlock::lock
