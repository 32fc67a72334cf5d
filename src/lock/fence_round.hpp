#pragma once

#include "core/fence_rule.hpp"
#include "lock/claim.hpp"
#include "lock/detachable_round.hpp"
#include "lock/runtime.hpp"

#include <cstdint>

namespace redlock::lock {

/// Gets a fencing token for a claim: the number that this round has raised the fences of a majority of the
/// nodes to (docs/fencing.md). Raises an event of its owner on the verdict, another when everything is
/// settled.
///
/// It may go out right behind the `SET` of the claim, before anybody knows whether that succeeds: then a node
/// raises its fence to the claim's proposal, for whoever asks. No more nodes than a majority are bothered
/// with that. Where it is not enough, because some fences were as high before, all nodes that hold the
/// claim's key count on from there, and whichever came out lower than others is asked once more.
class fence_round final : public detachable_round {
public:
    fence_round(runtime& r, operation& owner, unsigned decided_event, unsigned settled_event) noexcept
        : detachable_round(r, owner, decided_event, settled_event) {}

    /// Behind the `SET` of the claim.
    void propose(const claim& c);
    /// The key is ours on a majority, as far as is known. Anew, if it went out before.
    void advance(const claim& c);

    /// Of a granted round.
    std::uint64_t token() const noexcept { return rule_.token(); }

private:
    enum kind : std::uint32_t { proposal, advancement, kinds };

    void begin_with(const claim& c) noexcept;
    std::uint64_t least_majority(std::uint64_t key_hash) const;
    void advance_all();
    void send_proposal(std::uint32_t index);
    void send_life(std::uint32_t index);
    void send_advancements(std::uint64_t nodes);
    void answered(std::uint32_t tag, const resp::reply& reply) override;
    void proposal_answered(std::uint32_t index, const resp::reply& reply);
    void advancement_answered(std::uint32_t index, const resp::reply& reply);
    void raised(std::uint32_t index, std::uint64_t fence);
    void unanswered(std::uint32_t tag, errc why) noexcept override;
    bool is_current(std::uint32_t tag) const noexcept { return kind_of(tag) / kinds == stage_; }
    addressee back(std::uint32_t index, kind k) noexcept;
    core::verdict judge() const noexcept override;
    void decided() noexcept override;

    const claim* claim_ = nullptr;
    core::fence_rule rule_;
    std::uint32_t stage_ = 0; ///< counts the beginnings; what an earlier stage asked for is of no interest
    std::uint64_t at_least_ = 0;
    std::uint64_t asked_ = 0; ///< for the proposal, a bit for each node
    unsigned sendings_left_ = 0;
    bool proposing_ = false;
};

} // namespace redlock::lock
