#pragma once

#include "core/lease_state.hpp"
#include "lock/inbox.hpp"
#include "lock/lease_waiter.hpp"
#include "lock/local_queue.hpp"
#include "lock/lock_request.hpp"
#include "lock/release.hpp"
#include "lock/renewal.hpp"
#include "lock/runtime.hpp"
#include "time/timer_queue.hpp"

#include <atomic>
#include <memory>
#include <stop_token>

namespace redlock::lock {

/// What stands behind a `redlock::lease`: keeps the keys alive, declares the loss, gives the keys back.
///
/// Two timers that know nothing of each other drive it. One begins a renewal of a single round; the other
/// declares the loss when the validity less the margin is over, so it fires whatever became of the renewals.
class held_lease final : public std::enable_shared_from_this<held_lease>,
                         public list_hook,
                         private inbox_item,
                         private renewal_listener {
public:
    held_lease(std::shared_ptr<runtime> r, std::shared_ptr<const claim> c, const lock_terms& terms,
               const core::lease_state& state, time::instant keys_end, std::stop_source stop, local_turn turn,
               std::uint64_t fencing_token);
    held_lease(const held_lease&) = delete;
    held_lease& operator=(const held_lease&) = delete;
    ~held_lease() { delete own_stop_.load(); }

    // From any thread.
    bool valid() const noexcept { return remaining() > core::nanoseconds::zero(); }
    core::nanoseconds remaining() const noexcept;
    std::string_view key() const noexcept { return claim_->key(); }
    /// What its keys begin with on the nodes: drawn for the first holder, when the lease was handed on.
    std::string_view token() const noexcept { return claim_->token(); }
    std::stop_token stop_token() const;
    /// 0 without fencing.
    std::uint64_t fencing_token() const noexcept { return fencing_token_; }
    const std::shared_ptr<runtime>& owner() const noexcept { return runtime_; }
    /// The caller is done with the lease: it stops being valid, and `let_go` does nothing any more.
    void disown() noexcept { disowned_.store(true, std::memory_order_release); }
    /// `disown`, and release in the background unless that is under way.
    void let_go() noexcept;

    /// Its last owner is about to let go of it: begins to bring near what that touches.
    void fetch_ahead() const noexcept {
        const char* const self = reinterpret_cast<const char*>(this);
        for (std::size_t at = 0; at < sizeof(held_lease); at += 64)
            __builtin_prefetch(self + at, 1);
    }

    // On the strand, by somebody who keeps the lease alive until they return.
    void start();
    void unlock(lease_waiter& w);
    void extend(lease_waiter& w);
    void wait_lost(lease_waiter& w);
    void close() noexcept;
    /// Forgets whatever it waits for, when the strand will never run again.
    void abandon() noexcept;

private:
    enum class loss { deadline, majority, closing };

    /// A timer that calls one member of the lease.
    template <void (held_lease::*Expired)()>
    class lease_timer final : public time::timer {
    public:
        explicit lease_timer(held_lease& owner) noexcept : owner_(owner) {}

    private:
        void expired(time::instant) noexcept override { (owner_.*Expired)(); }
        held_lease& owner_;
    };

    void begin_renewal();
    void change_ttl_as_wanted(const lease_waiters& extenders) noexcept;
    errc outcome_of(const renew_round& round) noexcept;
    void renewal_due();
    void validity_ending() { lose(loss::deadline); }
    void rearm();
    void publish() noexcept;
    void end_validity() noexcept;
    void lose(loss cause) noexcept;
    /// Counts the end of the time for which it was held: gives that time.
    core::nanoseconds end_hold() noexcept;
    void request_stop() noexcept;
    void begin_unlock();
    void begin_release();
    bool hand_over();
    void give_back(lease_waiters&& unlockers = {});
    void renewal_decided() noexcept override;
    void renewal_settled() noexcept override;
    void arrive() noexcept override;
    void discard() noexcept override { in_inbox_.reset(); }
    void stay_alive() { self_ = shared_from_this(); }
    void may_die() noexcept;

    const std::shared_ptr<runtime> runtime_;
    const std::shared_ptr<const claim> claim_;
    const std::uint64_t fencing_token_;
    std::atomic<core::nanoseconds::rep> valid_until_; ///< copy of the state's for other threads
    std::atomic<bool> disowned_{false};
    bool unlocking_ = false;
    bool given_back_ = false; ///< the keys were released on all nodes already
    bool lost_ = false;
    bool due_again_ = false; ///< a renewal came due while the one before waited for a straggler

    std::atomic<bool> stop_wanted_{false};
    const std::stop_source given_stop_;                        ///< without a state when the caller gave none
    mutable std::atomic<std::stop_source*> own_stop_{nullptr}; ///< then this one, once somebody asks for it

    local_turn turn_; ///< of this process at the key, until the lease has ended
    core::lease_state state_;
    std::chrono::milliseconds lock_delay_;
    std::chrono::milliseconds stop_margin_;
    std::chrono::milliseconds life_;
    time::instant keys_end_; ///< when the last key that was asked for has run out, also for former holders
    const time::instant held_since_;
    std::unique_ptr<renewal> renewal_; ///< while one is under way
    lease_timer<&held_lease::renewal_due> renewal_timer_{*this};
    lease_timer<&held_lease::validity_ending> loss_timer_{*this};
    lease_waiters unlockers_;
    lease_waiters extenders_;
    lease_waiters loss_waiters_;
    std::shared_ptr<held_lease> self_;     ///< while something of it is under way on the strand
    std::shared_ptr<held_lease> in_inbox_; ///< while it is on its way there
};

} // namespace redlock::lock
