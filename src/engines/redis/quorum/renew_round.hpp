#pragma once

#include "engines/redis/quorum/claim.hpp"
#include "engines/redis/quorum/round.hpp"
#include "lease/runtime.hpp"
#include "turn/operation.hpp"

#include <chrono>

namespace redlock::lock {

/// Asks all nodes to extend a key that is ours. A node where it was missing puts it back, but that is no
/// vote: only the next round counts it. Refused means that a majority definitely did not have our key;
/// unreachable, that too few nodes answered to tell.
class renew_round final : public round {
public:
    renew_round(runtime& r, operation& owner, unsigned decided_event, unsigned settled_event) noexcept
        : round(r), owner_(owner), decided_event_(decided_event), settled_event_(settled_event) {}

    /// `fencing_token` is that of the lease; without meaning for a claim without fencing.
    void start(const claim& c, std::chrono::milliseconds life, std::uint64_t fencing_token);
    time::instant sent_at() const noexcept { return sent_at_; }

private:
    void send(std::uint32_t node);
    void answered(std::uint32_t node, const resp::reply& reply) override;
    core::verdict judge() const noexcept override;
    void decided() noexcept override { owner_.raise(decided_event_); }
    void all_settled() noexcept override { owner_.raise(settled_event_); }

    operation& owner_;
    const unsigned decided_event_;
    const unsigned settled_event_;
    const claim* claim_ = nullptr;
    std::chrono::milliseconds life_{0};
    std::uint64_t fencing_token_ = 0;
    time::instant sent_at_{};
};

} // namespace redlock::lock
