#include "engines/redis/rounds/fence_proposals.hpp"

#include "core/quorum/tally.hpp"
#include "engines/redis/quorum/quorum.hpp"
#include "engines/redis/rounds/acquire_round.hpp"

#include <chrono>
#include <functional>
#include <string>
#include <utility>

namespace redlock::redis {

namespace {

// A longer list was a burst, whose memory is not kept.
constexpr std::size_t usual_length = 4096;

} // namespace

void fence_proposals::send() {
    if (waiting_.empty()) return;
    core::fence_life& lives = quorum_.fences();
    const core::node_set nodes = least_majority();
    if (std::exchange(asked_, nodes) != nodes) lives.forget_all();
    // None of them has got an answer yet, so that nothing is decided here, between two turns.
    for (acquire_round* r : waiting_) {
        const core::node_set asked = r->send_proposal(nodes);
        if (asked.empty()) continue;
        // Who was not asked is not told either, and who was, at once: a connection may end at any command.
        const bool tell =
            asked != nodes || lives.must_tell(std::hash<std::string_view>()(r->full_key()), quorum_.now());
        if (tell && !r->send_fence_life(asked)) lives.forget_all();
    }
    for (acquire_round* r : waiting_)
        r->proposal_sent();
    waiting_.clear();
    if (waiting_.capacity() > usual_length) std::vector<acquire_round*>().swap(waiting_);
}

// Nodes that are quick and take proposals, as far as there are enough of them; all, when too few are there.
// The fences of the others are needed only when one of these fails or was raised by somebody else. The same
// as the last time if they will do, or every fence would come to stand on every node; other clients have
// others.
core::node_set fence_proposals::least_majority() const {
    const unsigned wanted = core::majority(quorum_.nodes());
    const core::nanoseconds usual = quorum_.round_trip();
    core::node_set ready;
    core::node_set raising;
    core::node_set fit;
    for (const std::uint32_t index : quorum_.every_node()) {
        const session& s = quorum_.session_of(index);
        if (!s.is_ready()) continue;
        ready.add(index);
        if (!s.raises_fences()) continue;
        raising.add(index);
        if (s.node().round_trip() <= 4 * usual + std::chrono::milliseconds(1)) fit.add(index);
    }
    if (asked_.size() == wanted && (asked_ - fit).empty()) return asked_;
    for (const core::node_set candidates : {fit, raising, ready})
        if (candidates.size() >= wanted) return first_of(candidates, wanted);
    return quorum_.every_node();
}

core::node_set fence_proposals::first_of(core::node_set nodes, unsigned wanted) const noexcept {
    core::node_set chosen;
    for (std::uint64_t i = 0; chosen.size() < wanted; ++i) {
        const auto node = static_cast<unsigned>((start_ + i) % quorum_.nodes());
        if (nodes.has(node)) chosen.add(node);
    }
    return chosen;
}

} // namespace redlock::redis
