#pragma once

#include "core/quorum/fence_rule.hpp"
#include "engines/redis/quorum/claim.hpp"
#include "engines/redis/quorum/quorum.hpp"
#include "engines/redis/rounds/detachable_round.hpp"

#include <cstdint>

namespace redlock::redis {

/// Gets a fencing token for a claim: the number that this round has raised the fences of a majority of the
/// nodes to (docs/fencing.md). All nodes that hold the claim's key count on from the fence they have, and
/// whichever came out lower than others is asked once more. Raises an event of its owner on the verdict,
/// another when everything is settled.
class fence_round final : public detachable_round {
public:
    fence_round(quorum& r, turn::operation& owner, unsigned decided_event, unsigned settled_event) noexcept
        : detachable_round(r, owner, decided_event, settled_event) {}

    /// The key is ours on a majority, as far as is known. What an earlier beginning asked for does not count
    /// any more.
    void advance(const claim& c);

    /// Of a granted round.
    std::uint64_t token() const noexcept { return rule_.token(); }

    const claim& what() const noexcept { return *claim_; }
    /// What the fences are to reach at least.
    fence_mark mark() const noexcept { return quorum_.mark(at_least_); }
    /// It was let go of before it was sent. May be the end of it, where it was.
    bool ends_unsent() noexcept;
    /// May be the end of it, as what follows.
    void send_everywhere();

    // For `joint_round`, as with `release`: it has begun.
    void begin_sending() noexcept { joint_stage_ = stage_; }
    void sent_with_others(std::uint32_t index, errc refusal);
    void send_alone(std::uint32_t index) { send(core::node_set::just(index)); }
    void all_sent();
    void answered_with_others(std::uint32_t index, kind_of_advance said, std::uint64_t fence);
    void failed_with_others(std::uint32_t index, errc why);
    void refused_with_others(std::uint32_t index, const server_error& error);
    void goes_alone(std::uint32_t index);

private:
    bool goes_with_others(const claim& c) const noexcept;
    void send(core::node_set nodes);
    void answered(reply_tag tag, const resp::reply& reply) override;
    void take(std::uint32_t index, kind_of_advance said, std::uint64_t fence);
    void raised(std::uint32_t index, std::uint64_t fence);
    void unanswered(reply_tag tag, errc why) noexcept override;
    /// Whether an answer to what was asked for at this beginning still counts.
    bool counts(std::uint16_t stage) const noexcept {
        return !closed() && stage == stage_ && verdict() == core::verdict::open;
    }

    const claim* claim_ = nullptr;
    core::fence_rule rule_;
    std::uint16_t stage_ = 0; ///< counts the beginnings, and begins anew long after those before have ended
    std::uint16_t joint_stage_ = 0; ///< of the one that shares a command
    std::uint64_t at_least_ = 0;
    unsigned sendings_left_ = 0;
};

} // namespace redlock::redis
