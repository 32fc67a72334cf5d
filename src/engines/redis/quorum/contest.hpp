#pragma once

#include "engine/contest.hpp"
#include "engines/redis/quorum/acquire_round.hpp"
#include "engines/redis/quorum/claim.hpp"
#include "engines/redis/quorum/fence_round.hpp"
#include "engines/redis/quorum/quorum.hpp"
#include "engines/redis/watch/key_watch.hpp"
#include "turn/live_list.hpp"
#include "turn/operation.hpp"

#include <redlock/detail/pool.hpp>

#include <memory>

namespace redlock::redis {

/// One contest for a key on the nodes: try, wait while another process holds the key, try again. Whatever it
/// took without being granted the key is released behind its back. Owns itself until it is over.
class contest final : public engine::contest,
                      private turn::operation,
                      public turn::list_hook,
                      public detail::pooled {
public:
    contest(quorum& q, const engine::wish& w, engine::contest_listener& listener);

    void start() override { begin(); }
    void cancel(errc why) noexcept override;

private:
    friend class quorum;
    ~contest();

    enum event : unsigned {
        is_admitted = 1,
        is_decided = 2,
        is_settled = 4,
        time_passed = 8,
        ends = 16,
        may_be_free = 32,
        token_decided = 64
    };

    class waiting;
    waiting& waits();
    key_watch* watch() const noexcept;

    turn::routine contend(bool asked);
    void begin();
    void events_came() noexcept override;
    void open_round();
    time::instant first_try() const noexcept;
    bool comes_to_a_contest() const noexcept;
    /// The key is somebody else's: listen for the end of that.
    void watch_key();
    /// Whether to try now. Otherwise wait on, unless the contest has its outcome.
    bool stops_waiting(unsigned events);
    /// Whether there is a place on the wire; otherwise the contest has its outcome.
    bool is_let_in(unsigned events);
    void leave_window() noexcept;
    void ask();
    /// Draws the conclusion from a round: true when the contest has its outcome, false when it is to be tried
    /// again.
    bool is_over(unsigned events);
    bool take_grant();
    /// Whether the nodes have granted the key and a fencing token is still wanted: then it is asked for.
    bool needs_token(unsigned events);
    bool has_token() const noexcept;
    void renew_claim();
    void propose_token();
    void release_votes();
    void finish(errc why) noexcept;
    errc refusal_of_round() noexcept;
    void stop_watching() noexcept;
    bool is_favourite() const noexcept;
    void keep_votes();
    /// How long it may take to get a place on the wire: one attempt without waiting for others takes the time
    /// it takes.
    time::instant patience() const noexcept { return waits_for_others_ ? wait_until_ : time::instant::max(); }
    bool wait_is_over() const noexcept { return quorum_.now() >= wait_until_; }
    void routine_ended() noexcept override;

    quorum& quorum_;
    engine::contest_listener& listener_;
    claim_pointer claim_;
    const std::chrono::milliseconds life_;
    const core::nanoseconds ttl_;
    const time::instant claimed_at_;
    const time::instant wait_until_;
    const time::instant not_before_;
    detachable_round::pointer<acquire_round> round_; ///< once the nodes are to be asked
    std::unique_ptr<waiting> waiting_;               ///< apart, for few contests need it
    detachable_round::pointer<fence_round> fence_;   ///< with fencing, where a proposal was not enough
    errc why_ended_{};                               ///< once it was cancelled
    const bool fencing_;
    const bool waits_for_others_;
    bool inside_ = false;      ///< the admission window, also while votes are kept
    bool keeps_votes_ = false; ///< of a refused round, until others have given way
    bool raced_ = false;       ///< the key was free when it was asked for
    bool proposed_ = false;    ///< in this round, behind the `SET`
    bool has_outcome_ = false;
};

} // namespace redlock::redis
