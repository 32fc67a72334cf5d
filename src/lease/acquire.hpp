#pragma once

#include "engines/redis/quorum/acquire_round.hpp"
#include "engines/redis/quorum/fence_round.hpp"
#include "engines/redis/watch/key_watch.hpp"
#include "lease/local_queue.hpp"
#include "lease/lock_request.hpp"
#include "lease/runtime.hpp"
#include "turn/operation.hpp"

#include <redlock/detail/operations.hpp>

#include <memory>
#include <stop_token>

namespace redlock::lock {

class held_lease;

/// Told how an acquire came out.
class acquire_listener {
public:
    virtual void granted(detail::lease_pointer held) noexcept = 0;
    /// 0 stands for "cancelled by the caller".
    virtual void not_granted(errc why) noexcept = 0;
    /// After one of the two: nothing refers to the acquire any more, it may be destroyed.
    virtual void acquire_over() noexcept = 0;

protected:
    ~acquire_listener() = default;
};

/// One logical acquire from the call to the grant or the refusal: wait for its turn among the callers of this
/// process, try, wait while another process holds the key, try again. Whatever it took without being granted
/// the lease is released behind its back.
class acquire final : private operation, public list_hook {
public:
    /// `r` must outlive it. The options were checked.
    acquire(const std::shared_ptr<runtime>& r, std::shared_ptr<const claim> c, const lock_options& options,
            std::stop_source stop, acquire_listener& listener);

    ~acquire();

    void start();
    void cancel() noexcept { raise(cancelled); }
    void close() noexcept { raise(closing); }
    /// Its watch is destroyed, for the strand will never run again.
    void forget_watch() noexcept;

private:
    enum event : unsigned {
        is_admitted = 1,
        is_decided = 2,
        is_settled = 4,
        time_passed = 8,
        cancelled = 16,
        closing = 32,
        has_turn = 64,
        may_be_free = 128,
        token_decided = 256,
        ends = cancelled | closing
    };

    class waiting;
    waiting& waits();
    key_watch* watch() const noexcept;
    struct takeover;
    takeover& taken() const noexcept;
    bool has_lease() const noexcept;

    // One routine after the other, as far as it takes.
    routine await_turn();
    routine confirm_lease();
    routine contend(bool asked);
    void begin_turn();
    void begin_contest();
    void events_came() noexcept override;
    bool take_lease_as_it_is();
    bool suits_as_it_is() const noexcept;
    bool has_wrong_kind() const noexcept;
    void settle_confirmation(unsigned events, bool as_it_is);
    /// A lease that came too late for this caller goes to the next, or off the nodes.
    void pass_on() noexcept;
    void release_handed();
    void open_round();
    time::instant first_try() const noexcept;
    bool comes_to_a_contest() const noexcept;
    /// The key is somebody else's: listen for the end of that.
    void watch_key();
    /// Whether to try now. Otherwise wait on, unless the acquire has its outcome.
    bool stops_waiting(unsigned events);
    /// Whether there is a place on the wire; otherwise the acquire has its outcome.
    bool is_let_in(unsigned events);
    void leave_window() noexcept;
    void ask();
    /// Draws the conclusion from a round: true when the acquire has its outcome, false when it is to be tried
    /// again.
    bool is_over(unsigned events);
    static errc reason_of(unsigned events) noexcept { return events & cancelled ? errc{} : errc::closed; }
    void refuse_at_once() noexcept;
    bool take_grant();
    /// `keys_end` is when the last key that this claim may have on a node has run out.
    void grant(std::shared_ptr<const claim> granted, const core::lease_state& state, time::instant keys_end);
    /// Whether the nodes have granted the key and a fencing token is still wanted: then it is asked for.
    bool needs_token(unsigned events);
    bool has_token() const noexcept;
    void renew_claim();
    void propose_token();
    void advance_token(const claim& c);
    void release_votes();
    void finish(errc why) noexcept;
    errc refusal_of_round() noexcept;
    void stop_watching() noexcept;
    bool is_favourite() const noexcept;
    void keep_votes();
    /// How long it may take to get a place on the wire: one attempt without waiting for others takes the time
    /// it takes.
    time::instant patience() const noexcept {
        return terms_.wait == core::nanoseconds::zero() ? time::instant::max() : wait_until_;
    }
    /// Others have the key, or want it too. Counts from the first time.
    void begin_to_wait() noexcept;
    void end_of_wait() noexcept;
    bool wait_is_over() const noexcept { return runtime_->now() >= wait_until_; }

    void routine_ended() noexcept override;

    const std::shared_ptr<runtime>& runtime_; ///< the caller's
    std::shared_ptr<const claim> claim_;
    lock_terms terms_;
    std::stop_source stop_;
    acquire_listener& listener_;
    detachable_round::pointer<acquire_round> round_; ///< once the nodes are to be asked
    local_turn turn_;
    std::unique_ptr<waiting> waiting_;             ///< apart, for few acquires need it
    detachable_round::pointer<fence_round> fence_; ///< with fencing, where a proposal was not enough
    time::instant began_at_;
    time::instant wait_until_;
    bool inside_ = false;      ///< the admission window, also while votes are kept
    bool keeps_votes_ = false; ///< of a refused round, until others have given way
    bool raced_ = false;       ///< the key was free when it was asked for
    bool proposed_ = false;    ///< in this round, behind the `SET`
    bool has_outcome_ = false;
};

} // namespace redlock::lock
