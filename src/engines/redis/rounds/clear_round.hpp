#pragma once

#include "engines/redis/quorum/claim.hpp"
#include "engines/redis/quorum/quorum.hpp"
#include "engines/redis/rounds/detachable_round.hpp"

#include <chrono>

namespace redlock::redis {

/// Asks all nodes whether anybody reads what is ours for writing, and extends it. Granted means that nobody
/// does, on a majority where it is ours.
class clear_round final : public detachable_round {
public:
    clear_round(redis::quorum& q, turn::operation& owner, unsigned decided_event) noexcept
        : detachable_round(q, owner, decided_event, 0) {}

    /// It is put back on these nodes, should it be missing there.
    void start(claim_pointer c, std::chrono::milliseconds life, core::node_set put_back);
    time::instant sent_at() const noexcept { return sent_at_; }
    /// Until the first of the nodes that are read has only readers whose time is over.
    core::nanoseconds next_end() const noexcept { return next_end_; }
    /// A majority definitely does not have it as ours.
    bool is_gone() const noexcept {
        return quorum_.nodes() - (gone_ | missing_).size() < core::majority(quorum_.nodes());
    }
    /// On these nobody has it.
    core::node_set missing() const noexcept { return missing_; }

private:
    void send(std::uint32_t index);
    void send(clear_command& command, std::uint32_t index);
    void answered(reply_tag tag, const resp::reply& reply) override;

    claim_pointer claim_;
    std::chrono::milliseconds life_{0};
    time::instant sent_at_{};
    core::node_set gone_;
    core::node_set missing_;
    core::node_set put_back_;
    core::nanoseconds next_end_{};
};

} // namespace redlock::redis
