#pragma once

#include "core/quorum/node_set.hpp"

#include <cstdint>
#include <vector>

namespace redlock::redis {

class acquire_round;
class quorum;

/// Proposals of fencing tokens on their way to the nodes. They are written behind everything else of a flush,
/// and all of them to the same nodes, just a majority where so many are there: what goes to every node and
/// what goes to those alone then each stand together, and are written as they stand, instead of being copied
/// for each node.
class fence_proposals {
public:
    /// `start` says with which node to begin: different ones for different clients.
    fence_proposals(quorum& r, std::uint64_t start) noexcept : quorum_(r), start_(start) {}

    /// The round stays until it is told, by `proposal_sent`.
    void add(acquire_round& asking) { waiting_.push_back(&asking); }
    bool empty() const noexcept { return waiting_.empty(); }
    /// Right before a flush.
    void send();
    /// The rounds are gone.
    void clear() noexcept { waiting_.clear(); }

private:
    core::node_set least_majority() const;
    core::node_set first_of(core::node_set nodes, unsigned wanted) const noexcept;

    quorum& quorum_;
    const std::uint64_t start_;
    core::node_set asked_;                ///< the last time
    std::vector<acquire_round*> waiting_; ///< of the callers whose turns came since the last flush
};

} // namespace redlock::redis
