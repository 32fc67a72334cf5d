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

private:
    void send(core::node_set nodes);
    void answered(reply_tag tag, const resp::reply& reply) override;
    void raised(std::uint32_t index, std::uint64_t fence);
    void unanswered(reply_tag tag, errc why) noexcept override;
    bool is_current(reply_tag tag) const noexcept { return tag.kind() == stage_; }

    const claim* claim_ = nullptr;
    core::fence_rule rule_;
    std::uint16_t stage_ = 0; ///< counts the beginnings, and begins anew long after those before have ended
    std::uint64_t at_least_ = 0;
    unsigned sendings_left_ = 0;
};

} // namespace redlock::redis
