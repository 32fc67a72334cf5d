#pragma once

#include "engine/claim.hpp"
#include "lease/downgrading.hpp"
#include "lease/lease_upkeep.hpp"
#include "lease/lessee.hpp"
#include "lease/owned/reentry.hpp"
#include "turn/owner_count.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <stop_token>

namespace redlock::lock {

/// What stands behind a `redlock::lease`: for any thread whether it is valid, when to stop, and a way to let
/// go of it. What is done for the lease on the strand is the business of its upkeep, which ends with it; this
/// stays for as long as somebody refers to the lease.
class held_lease final : public detail::pooled {
public:
    held_lease(std::shared_ptr<lessee> r, engine::claim_pointer c, const lock_terms& terms,
               const core::lease_state& state, time::instant keys_end, std::stop_source stop, local_turn turn,
               std::uint64_t fencing_token);
    /// One of several that stand for one grant.
    held_lease(detail::lease_pointer grant, std::shared_ptr<owned_lock> lock, std::stop_source stop);
    held_lease(const held_lease&) = delete;
    held_lease& operator=(const held_lease&) = delete;
    ~held_lease() { delete own_stop_.load(); }

    // From any thread.
    bool valid() const noexcept { return remaining() > core::nanoseconds::zero(); }
    core::nanoseconds remaining() const noexcept;
    std::string_view key() const noexcept { return claim_->key(); }
    /// That of the first holder, when the lease was handed on; another one since it was downgraded. On the
    /// strand.
    const engine::claim_pointer& claim() const noexcept {
        return downgrading_ && downgrading_->is_done ? downgrading_->reading : claim_;
    }
    std::stop_token stop_token() const;
    /// 0 without fencing.
    std::uint64_t fencing_token() const noexcept { return fencing_token_; }
    const std::shared_ptr<lessee>& owner() const noexcept { return lessee_; }
    /// The caller is done with the lease: it stops being valid, and `let_go` does nothing any more.
    void disown() noexcept { disowned_.store(true, std::memory_order_release); }
    bool is_disowned() const noexcept { return disowned_; }
    /// `disown`, and release in the background unless that is under way.
    void let_go() noexcept;

    /// Which of several permits it is.
    unsigned slot() const noexcept;
    /// That it was granted, `waited` after the call for it.
    void tell_granted(observer& o, core::nanoseconds waited) const noexcept;

    // On the strand, by somebody who keeps the lease alive until they return.
    void start() { upkeep_->start(); }
    /// Whom to stop, of one that was granted without saying. Before anybody but the caller knows of it.
    void stops(std::stop_source given) noexcept {
        given_stop_ = std::move(given);
        if (stop_wanted_) given_stop_.request_stop();
    }
    /// `let_go`, in this turn.
    void drop() noexcept;
    /// Likewise of one that nobody was told of: its key is not to be kept, nor does its end count.
    void give_up() noexcept {
        keep_ = given_up;
        drop();
    }
    /// It was lost, or its client closes.
    bool wants_stop() const noexcept { return stop_wanted_; }
    void unlock(lease_waiter& w);
    void extend(lease_waiter& w);
    void wait_lost(lease_waiter& w);
    void downgrade(lease_waiter& w);
    void close() noexcept {
        if (upkeep_) upkeep_->close();
    }
    std::chrono::milliseconds ttl() const noexcept;
    /// Also by the clock, before anybody was told.
    bool is_over() const noexcept { return !upkeep_ || upkeep_->is_over(); }
    /// The grant that it stands for together with others is lost, or its client closes.
    void grant_is_over(const boost::system::error_code& how) noexcept {
        if (reentry_) reentry_->grant_is_over(how);
    }
    /// Of a forked child, whose client does not know yet that it is to close, likewise `closed`.
    errc why_over() const noexcept {
        return lessee_->closing() || lessee_->is_of_parent() ? errc::closed : errc::lease_lost;
    }
    /// The engine says that it is gone.
    void lose() noexcept {
        if (upkeep_) upkeep_->lose();
    }

private:
    static constexpr std::chrono::milliseconds given_up{-1};

    friend class lease_upkeep;
    friend class reentry;
    friend void intrusive_ptr_add_ref(held_lease* held) noexcept;
    friend void intrusive_ptr_release(held_lease* held) noexcept;
    class departure;

    void let_go_now() noexcept;

    // For the upkeep.
    void publish(core::instant valid_until) noexcept;
    void end_validity() noexcept { publish(core::instant::min()); }
    void request_stop() noexcept;
    void note_loss() noexcept { lost_ = true; }
    bool is_lost() const noexcept { return lost_; }
    /// Destroys the upkeep.
    void has_ended() noexcept { upkeep_.reset(); }
    /// Its key, behind the grant.
    std::chrono::milliseconds keep() const noexcept { return std::max(keep_, std::chrono::milliseconds(0)); }
    bool is_given_up() const noexcept { return keep_ == given_up; }

    turn::owner_count owners_;
    bool lost_ = false;
    const std::shared_ptr<lessee> lessee_;
    const engine::claim_pointer claim_;
    const std::uint64_t fencing_token_;
    const core::instant held_since_; ///< for the upkeep
    std::chrono::milliseconds keep_;
    std::atomic<core::nanoseconds::rep> valid_until_; ///< copy of the upkeep's for other threads
    std::atomic<bool> disowned_{false};
    std::atomic<bool> stop_wanted_{false};
    std::stop_source given_stop_;                              ///< without a state when the caller gave none
    mutable std::atomic<std::stop_source*> own_stop_{nullptr}; ///< then this one, once somebody asks for it
    std::unique_ptr<lease_upkeep> upkeep_;                     ///< until the lease has ended
    std::unique_ptr<downgrading> downgrading_;                 ///< of the upkeep, once that was asked for
    const detail::lease_pointer grant_;                        ///< that it stands for with others
    const std::unique_ptr<reentry> reentry_;                   ///< then
};

} // namespace redlock::lock
