#pragma once

#include "core/lease_state.hpp"
#include "engine/renewal.hpp"
#include "lease/lessee.hpp"
#include "lease/local_queue.hpp"
#include "lease/lock_request.hpp"
#include "lease/waiting_callers.hpp"
#include "time/timer_queue.hpp"

#include <redlock/detail/operations.hpp>
#include <redlock/detail/pool.hpp>

#include <functional>
#include <memory>

namespace redlock::lock {

class held_lease;
class lease_upkeep;

/// One of the timers of an upkeep, told from the other by its purpose.
template <class Purpose>
class lease_timer : public time::timer {
protected:
    lease_timer() = default;
    ~lease_timer() = default;

private:
    void expired(time::instant) noexcept final;
};
struct to_renew {};
struct to_declare_loss {};

/// What is done for a lease on the strand, from the grant until its keys are given back or handed on: keeps
/// the keys alive, declares the loss, gives the keys back. Then it ends itself: a caller that waits for the
/// answers to its unlock needs none of this any more.
///
/// Two timers that know nothing of each other drive it. One begins a renewal, a single question; the other
/// declares the loss when the validity less the margin is over, so it fires whatever became of the renewals.
class lease_upkeep final : public turn::list_hook,
                           public detail::pooled,
                           private engine::renewal_listener,
                           private lease_timer<to_renew>,
                           private lease_timer<to_declare_loss> {
public:
    lease_upkeep(held_lease& of, const lock_terms& terms, const core::lease_state& state,
                 time::instant keys_end, local_turn turn) noexcept;
    lease_upkeep(const lease_upkeep&) = delete;
    lease_upkeep& operator=(const lease_upkeep&) = delete;

    held_lease& lease() const noexcept { return lease_; }
    std::chrono::milliseconds ttl() const noexcept { return life_ - lock_delay_; }
    /// Lost, or about to be: it is not to be entered by anybody.
    bool is_over() const noexcept;
    /// One that has the key, or may soon.
    bool is_held_by(const std::function<bool(const engine::claim&)>& one) const;

    // By somebody who keeps the lease alive until they return. All of them may end it.
    void start();
    void unlock(lease_waiter& w);
    void extend(lease_waiter& w);
    void downgrade(lease_waiter& w);
    /// While it is not lost.
    void wait_lost(lease_waiter& w);
    void let_go() noexcept;
    void close() noexcept;
    void lose() noexcept { lose(loss::majority); }
    /// Renews before its time, unless that is under way, or is not wanted any more.
    void renew_now() {
        if (renewal_timer().armed()) timer_expired(to_renew());
    }
    /// Forgets whatever it waits for, when the strand will never run again.
    void abandon() noexcept;

private:
    template <class>
    friend class lease_timer;
    enum class loss { deadline, majority, closing };

    void begin_renewal();
    void go_on() noexcept;
    bool is_downgrading() const noexcept;
    /// False when nobody wants it.
    bool begins_downgrade();
    void downgrade_decided(engine::outcome decided, time::instant sent_at, errc why,
                           const engine::failure* more) noexcept;
    void answer_downgrade(const boost::system::error_code& outcome) noexcept;
    void answer_waiting(const boost::system::error_code& for_loss,
                        const boost::system::error_code& for_more_time) noexcept;
    lessee& owner() const noexcept;
    waiting_callers& waiting();
    void change_ttl_as_wanted(const lease_waiters& extenders) noexcept;
    errc outcome_of(engine::outcome decided, time::instant sent_at, errc why) noexcept;
    void timer_expired(to_renew) noexcept {
        if (keeping_) return keep_key();
        begin_renewal();
    }
    void timer_expired(to_declare_loss) noexcept { lose(loss::deadline); }
    time::timer& renewal_timer() noexcept { return static_cast<lease_timer<to_renew>&>(*this); }
    time::timer& loss_timer() noexcept { return static_cast<lease_timer<to_declare_loss>&>(*this); }
    void rearm();
    void lose(loss cause) noexcept;
    /// Counts the end of the time for which it was held: gives that time.
    core::nanoseconds end_hold() noexcept;
    void begin_unlock();
    void begin_release();
    bool hand_over();
    bool keeps_key() const noexcept;
    time::instant kept_until() const noexcept;
    void begin_keeping();
    void keep_key();
    void keeping_decided(engine::outcome decided, errc why, const engine::failure* more) noexcept;
    void give_back(turn::outcome_waiters&& unlockers = {});
    void renewal_decided(engine::outcome decided, time::instant sent_at, errc why,
                         const engine::failure* more) noexcept override;
    void stay_alive() noexcept;
    /// That which was staying, if it was.
    detail::lease_pointer stay_no_longer() noexcept;
    /// Nothing of it is under way, as far as the caller knows: the last statement of whoever calls it.
    void may_end() noexcept;

    held_lease& lease_;
    local_turn turn_; ///< of this process at the key, until the lease has ended
    core::lease_state state_;
    std::chrono::milliseconds lock_delay_;
    std::chrono::milliseconds stop_margin_;
    std::chrono::milliseconds life_;
    time::instant keys_end_; ///< when the last key that was asked for has run out, also for former holders
    bool unlocking_ = false;
    bool keeping_ = false;             ///< the lease is over, and its key is to stay for a while
    bool given_back_ = false;          ///< the keys were released on all nodes already
    bool stays_ = false;               ///< owns the lease: something is under way that needs it
    engine::errand_pointer<> renewal_; ///< while one is to be decided
    turn::outcome_waiters unlockers_;
    std::unique_ptr<waiting_callers> waiting_; ///< once there was one
};

template <class Purpose>
void lease_timer<Purpose>::expired(time::instant) noexcept {
    static_cast<lease_upkeep&>(*this).timer_expired(Purpose());
}

} // namespace redlock::lock
