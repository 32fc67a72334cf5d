#pragma once

#include "engines/redis/quorum/claim.hpp"
#include "engines/redis/quorum/quorum.hpp"
#include "engines/redis/rounds/detachable_round.hpp"

#include <chrono>

namespace redlock::redis {

/// Enters on all nodes among those who read, where the key is ours for writing. Granted means that a majority
/// has both; refused, that a majority definitely did not have our key.
class downgrade_round final : public detachable_round {
public:
    downgrade_round(redis::quorum& q, turn::operation& owner, unsigned decided_event) noexcept
        : detachable_round(q, owner, decided_event, 0) {}

    void start(claim_pointer held, claim_pointer reading, std::chrono::milliseconds life);
    time::instant sent_at() const noexcept { return sent_at_; }

private:
    void send(downgrade_command& command, std::uint32_t index);
    void answered(reply_tag tag, const resp::reply& reply) override;
    core::verdict judge() const noexcept override { return votes().decide_on_certainty(); }

    claim_pointer held_;
    claim_pointer reading_;
    std::chrono::milliseconds life_{0};
    time::instant sent_at_{};
};

} // namespace redlock::redis
