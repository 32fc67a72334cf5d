#pragma once

#include "core/quorum/contender.hpp"
#include "engine/contest.hpp"
#include "engines/redis/quorum/claim.hpp"
#include "engines/redis/quorum/quorum.hpp"
#include "engines/redis/rounds/acquire_round.hpp"
#include "engines/redis/rounds/fence_round.hpp"
#include "engines/redis/watch/key_watch.hpp"
#include "turn/live_list.hpp"
#include "turn/operation.hpp"

#include <redlock/detail/pool.hpp>

#include <chrono>
#include <cstdint>
#include <memory>

namespace redlock::redis {

/// One contest for a key on the nodes: does what `core::contender` says, and tells it what came of that.
/// Whatever it took without being granted the key is released behind its back. Owns itself until it is over
/// and the last node has answered, or let its deadline pass.
class contest final : public engine::contest,
                      private turn::operation,
                      public turn::list_hook,
                      public detail::pooled {
public:
    contest(quorum& q, engine::wish&& w, engine::contest_listener& listener);

    void start() override;
    void cancel(errc why) noexcept override;
    /// Its present try.
    const claim& asks_for() const noexcept { return *claim_; }

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
        token_decided = 64,
        queue_decided = 128
    };

    /// Its round. The contest stays for as long as that does.
    class own_round final : public acquire_round {
    public:
        explicit own_round(contest& of) noexcept : acquire_round(of.quorum_, of, is_decided, is_settled) {}

    private:
        void gone() noexcept override { delete &static_cast<contest&>(owner()); }
    };
    class waiting;
    waiting& waits();
    key_watch* watch() const noexcept;
    queue_stand* stand() const noexcept;
    fence_round* fence() const noexcept;

    /// Does what the rule says, up to the next wait.
    void act(core::contender::step next) noexcept;
    void events_came() noexcept override;
    core::contender::step answer_to_events() noexcept;
    core::crowd others(bool holds_off = false) const noexcept;
    /// The key is somebody else's: listen for the end of that.
    void watch_key(time::instant until);
    /// Likewise, in the queues of the nodes.
    void queue_for_key(time::instant until);
    void watch_beside_queue(bool holder_is_deaf);
    bool can_queue() const noexcept;
    /// Of a key that is handed over.
    core::nanoseconds first_ttl() const noexcept;
    core::contender::step queued_events();
    bool enters_window(time::instant until);
    void leave_queue() noexcept;
    void leave_window() noexcept;
    void ask();
    core::round_result result();
    time::instant keep_until(const core::round_result& r);
    core::contender::step round_decided();
    core::contender::step token_was_decided();
    bool take_grant();
    /// Counts and remembers why the round was not granted.
    void note_refusal() noexcept;
    /// With the round itself. A token that an earlier round asked for is none.
    bool has_proposed_token() const noexcept { return proposed_ && round_.has_token(); }
    /// Once the token was decided.
    bool has_token() const noexcept;
    void renew_claim();
    void propose_token();
    void ask_for_token();
    void release_votes() noexcept;
    void stop_watching() noexcept;
    void tell_refusal(errc why) noexcept;
    void finish() noexcept;

    quorum& quorum_;
    engine::contest_listener& listener_;
    claim_pointer claim_;
    const std::chrono::milliseconds life_;
    const time::instant claimed_at_;
    core::contender rule_;
    own_round round_;
    std::unique_ptr<waiting> waiting_; ///< apart, for few contests need it
    errc why_ended_{};                 ///< once it was cancelled
    core::contender::action doing_ = core::contender::action::ask;
    const core::nanoseconds ttl_;
    const bool fencing_;
    const bool renews_;
    bool is_written_ = false; ///< a node may know the claim's token
    bool no_queue_ = false;   ///< it was of no use
    bool has_place_ = false;  ///< in the admission window
    bool raced_ = false;      ///< the key was free when it was asked for
    bool proposed_ = false;   ///< in this round, behind the `SET`
};

} // namespace redlock::redis
