#pragma once

#include "engines/redis/quorum/claim.hpp"
#include "engines/redis/quorum/quorum.hpp"
#include "engines/redis/rounds/round.hpp"
#include "turn/outcome.hpp"

#include <redlock/detail/pool.hpp>

#include <cstdint>
#include <memory>

namespace redlock::redis {

/// Deletes the keys of one claim on a set of nodes. Owns itself: it exists until every node has answered or
/// let its deadline pass, and leaves a debt with the quorum for each node that may not have been reached. It
/// belongs to no caller, so no cancellation reaches it.
class release final : public round, public turn::list_hook, public detail::pooled {
public:
    /// `until` is when the keys run out by themselves. `unlockers` are told how it
    /// came out: 0: it was ours until now and a majority knows that it is free; `lease_lost`: a majority did
    /// not have it any more, or the lease was `lost` before; `no_quorum`: a majority did not answer. Who
    /// `held` the key may keep it free for strangers.
    static void start(quorum& r, std::shared_ptr<const claim> c, core::node_set nodes, time::instant until,
                      turn::outcome_waiters&& unlockers = {}, bool lost = false, bool held = false);
    /// On every node, and not before the end of the turn, together with others that end in it. Only where no
    /// command of this turn can have written the key.
    static void start_with_others(quorum& r, std::shared_ptr<const claim> c, time::instant until,
                                  turn::outcome_waiters&& unlockers, bool lost);

    const std::shared_ptr<const claim>& what() const noexcept { return claim_; }
    /// Whether it hands the key to those who wait, if any do.
    bool serves_queue() const noexcept { return serves_queue_; }
    /// That node had the key still when another release, which does so, was sent behind this one.
    void followed(std::uint32_t index) noexcept { followed_.add(index); }
    /// May be the end of it.
    void send_everywhere();

    // For `joint_round`, which sends for several, between the first of these and the last. That, and each
    // that tells of an answer, may be the end of it.
    void begin_sending();
    void sent_with_others(std::uint32_t index, errc refusal) { sent(reply_tag::of(index), refusal); }
    void send_alone(std::uint32_t index);
    void all_sent();
    void answered_with_others(std::uint32_t index, bool deleted);
    void failed_with_others(std::uint32_t index, errc why);
    void refused_with_others(std::uint32_t index, const server_error& error);
    /// The node does not take the command for several.
    void goes_alone(std::uint32_t index);

private:
    friend class quorum;
    release(redis::quorum& r, std::shared_ptr<const claim> c, time::instant until,
            turn::outcome_waiters&& unlockers, bool lost, bool held) noexcept
        : round(r),
          claim_(std::move(c)),
          until_(until),
          lost_(lost),
          held_(held),
          serves_queue_(claim_->waited_for),
          unlockers_(std::move(unlockers)) {}
    ~release() = default;

    release_command command() const;
    void send_all(core::node_set nodes);
    core::node_set send_to_all(release_command& command);
    void withdraw(std::uint32_t index, std::uint64_t term);
    void send(release_command& command, std::uint32_t index);
    void note_taken() noexcept;
    void answered(reply_tag tag, const resp::reply& reply) override;
    void refused(reply_tag tag, release_answer said);
    void refused(reply_tag tag, const server_error& error);
    void unanswered(reply_tag tag, errc why) noexcept override;
    core::verdict judge() const noexcept override;
    void decided() noexcept override;
    void all_settled() noexcept override;
    errc outcome() const noexcept;

    std::shared_ptr<const claim> claim_;
    time::instant until_;
    const bool lost_;
    const bool held_;
    const bool serves_queue_;
    core::node_set followed_;
    turn::outcome_waiters unlockers_;
};

} // namespace redlock::redis
