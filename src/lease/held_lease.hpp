#pragma once

#include "engine/claim.hpp"
#include "lease/lease_upkeep.hpp"
#include "lease/lessee.hpp"
#include "turn/owner_count.hpp"

#include <atomic>
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
    held_lease(const held_lease&) = delete;
    held_lease& operator=(const held_lease&) = delete;
    ~held_lease() { delete own_stop_.load(); }

    // From any thread.
    bool valid() const noexcept { return remaining() > core::nanoseconds::zero(); }
    core::nanoseconds remaining() const noexcept;
    std::string_view key() const noexcept { return claim_->key(); }
    /// That of the first holder, when the lease was handed on.
    const engine::claim_pointer& claim() const noexcept { return claim_; }
    std::stop_token stop_token() const;
    /// 0 without fencing.
    std::uint64_t fencing_token() const noexcept { return fencing_token_; }
    const std::shared_ptr<lessee>& owner() const noexcept { return lessee_; }
    /// The caller is done with the lease: it stops being valid, and `let_go` does nothing any more.
    void disown() noexcept { disowned_.store(true, std::memory_order_release); }
    bool is_disowned() const noexcept { return disowned_; }
    /// `disown`, and release in the background unless that is under way.
    void let_go() noexcept;

    // On the strand, by somebody who keeps the lease alive until they return.
    void start() { upkeep_->start(); }
    void unlock(lease_waiter& w);
    void extend(lease_waiter& w);
    void wait_lost(lease_waiter& w);
    void close() noexcept {
        if (upkeep_) upkeep_->close();
    }
    /// The engine says that it is gone.
    void lose() noexcept {
        if (upkeep_) upkeep_->lose();
    }

private:
    friend class lease_upkeep;
    friend void intrusive_ptr_add_ref(held_lease* held) noexcept;
    friend void intrusive_ptr_release(held_lease* held) noexcept;
    class departure;

    // For the upkeep.
    void publish(core::instant valid_until) noexcept;
    void end_validity() noexcept { publish(core::instant::min()); }
    void request_stop() noexcept;
    void note_loss() noexcept { lost_ = true; }
    bool is_lost() const noexcept { return lost_; }
    /// Destroys the upkeep.
    void has_ended() noexcept { upkeep_.reset(); }
    errc why_over() const noexcept { return lessee_->closing() ? errc::closed : errc::lease_lost; }

    turn::owner_count owners_;
    bool lost_ = false;
    const std::shared_ptr<lessee> lessee_;
    const engine::claim_pointer claim_;
    const std::uint64_t fencing_token_;
    std::atomic<core::nanoseconds::rep> valid_until_; ///< copy of the upkeep's for other threads
    std::atomic<bool> disowned_{false};
    std::atomic<bool> stop_wanted_{false};
    const std::stop_source given_stop_;                        ///< without a state when the caller gave none
    mutable std::atomic<std::stop_source*> own_stop_{nullptr}; ///< then this one, once somebody asks for it
    std::unique_ptr<lease_upkeep> upkeep_;                     ///< until the lease has ended
};

} // namespace redlock::lock
