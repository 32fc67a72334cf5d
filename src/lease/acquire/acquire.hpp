#pragma once

#include "engine/contest.hpp"
#include "lease/local_queue.hpp"
#include "lease/lock_request.hpp"
#include "turn/live_list.hpp"
#include "turn/routine_operation.hpp"

#include <redlock/detail/operations.hpp>

#include <memory>
#include <stop_token>
#include <string_view>

namespace redlock::lock {

class lessee;

/// Told how an acquire came out.
class acquire_listener {
public:
    virtual void granted(detail::lease_pointer held) noexcept = 0;
    /// 0 stands for "cancelled by the caller". `more` may be null.
    virtual void not_granted(errc why, const engine::failure* more) noexcept = 0;
    /// After one of the two: nothing refers to the acquire any more, it may be destroyed.
    virtual void acquire_over() noexcept = 0;

protected:
    ~acquire_listener() = default;
};

/// Whether an acquire is all of a call, or one of several that a call makes. Of those the call knows which
/// its caller gets: it counts their grants itself, and tells of them.
enum class counted : bool { call, part };

/// One logical acquire from the call to the grant or the refusal: wait for its turn among the callers of this
/// process, then take over the lease of one of them, or have the engine contend for the key.
class acquire final : private turn::routine_operation,
                      public turn::list_hook,
                      private engine::contest_listener {
public:
    /// `l` must outlive it. The options were checked.
    acquire(const std::shared_ptr<lessee>& l, engine::claim_pointer c, const lock_options& options,
            std::stop_source stop, acquire_listener& listener, counted as = counted::call);
    ~acquire();

    /// Before it starts: the caller has waited already, which was told to whoever wants to know.
    void has_waited() noexcept;
    void start();
    void cancel() noexcept { end_early(cancelled); }
    void close() noexcept { end_early(closing); }
    /// How it went, of one that was not granted.
    struct account {
        std::string_view key;
        core::nanoseconds waited;
        core::nanoseconds wait;   ///< at most; `nanoseconds::max()` for ever
        bool for_others;          ///< it waited for a holder, and not for a place on the wire alone
        bool was_granted = false; ///< too late to be of use
    };
    /// While the listener is told.
    account told() const noexcept;

private:
    enum event : unsigned {
        has_turn = 1,
        time_passed = 2,
        lease_decided = 4,
        token_decided = 8,
        cancelled = 16,
        closing = 32,
        ends = cancelled | closing
    };

    /// The key is ours for writing, and others read.
    class draining;

    /// What it needs only where it has to wait for its turn.
    class waiting;
    waiting& waits();
    /// The lease that came along with the turn.
    class takeover;
    takeover& taken() const noexcept;
    bool has_lease() const noexcept;

    // One routine after the other, as far as it takes.
    turn::routine await_turn();
    turn::routine confirm_lease();
    void begin_turn();
    /// What is wanted of the engine, by this claim.
    engine::wish wish_for(const engine::claim_pointer& wanted) const noexcept;
    void contend();
    void ask_engine();
    bool starts_draining(engine::grant&& given);
    void drained(time::instant sent_at) noexcept;
    void not_drained(errc why, const engine::failure* more) noexcept;
    void drained_in_vain(engine::claim_pointer given, errc why, const engine::failure* more) noexcept;
    bool take_lease_as_it_is();
    bool suits_as_it_is() const noexcept;
    void settle_confirmation(unsigned events, bool as_it_is);
    /// A lease that came too late for this caller goes to the next, or back to the engine.
    void pass_on() noexcept;
    void release_handed();
    void end_early(event how) noexcept;
    static errc reason_of(unsigned events) noexcept { return events & cancelled ? errc{} : errc::closed; }
    void refuse_at_once(errc why) noexcept;
    void grant(engine::claim_pointer granted, const core::lease_state& state, time::instant keys_end,
               std::uint64_t fencing_token);
    void finish(errc why, const engine::failure* more = nullptr) noexcept;
    /// Others have the key, or want it too. Counts from the first time.
    void begin_to_wait(std::string_view key) noexcept;
    void end_of_wait() noexcept;

    void others_have_it(const engine::claim& wanted) noexcept override { begin_to_wait(wanted.key()); }
    bool takes(engine::grant&& given) noexcept override;
    void not_granted(errc why, const engine::failure* more) noexcept override { finish(why, more); }
    void contest_over() noexcept override;
    void routine_ended() noexcept override;

    const std::shared_ptr<lessee>& lessee_; ///< the caller's
    engine::claim_pointer claim_;
    lock_terms terms_;
    std::stop_source stop_;
    acquire_listener& listener_;
    engine::contest* contest_ = nullptr; ///< while one is under way
    local_turn turn_;
    std::unique_ptr<waiting> waiting_; ///< apart, for few acquires need it
    std::unique_ptr<draining> draining_;
    time::instant began_at_;
    time::instant wait_until_;
    time::instant waits_since_ = time::instant::max(); ///< for others
    const bool is_part_;
    bool has_outcome_ = false;
    bool came_too_late_ = false; ///< the last grant
};

} // namespace redlock::lock
