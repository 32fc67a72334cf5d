#pragma once

#include "engines/redis/quorum/claim.hpp"
#include "engines/redis/quorum/quorum.hpp"
#include "engines/redis/rounds/detachable_round.hpp"
#include "turn/operation.hpp"

namespace redlock::redis {

/// Has what a claim's holder has proclaimed stand on all nodes where the key is ours. Granted: on a majority.
/// Refused means that a majority definitely does not have our key.
class proclaim_round final : public detachable_round {
public:
    proclaim_round(redis::quorum& q, turn::operation& owner, unsigned decided_event) noexcept
        : detachable_round(q, owner, decided_event, 0) {}

    void start(claim_pointer c);

private:
    void send(proclaim_command& command, std::uint32_t index);
    void answered(reply_tag tag, const resp::reply& reply) override;
    core::verdict judge() const noexcept override { return votes().decide_on_certainty(); }

    claim_pointer claim_;
};

} // namespace redlock::redis
