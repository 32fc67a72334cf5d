#include "engines/redis/quorum/fence_proposals.hpp"

#include "core/quorum/tally.hpp"
#include "engines/redis/quorum/acquire_round.hpp"
#include "engines/redis/quorum/quorum.hpp"

#include <bit>
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
    const std::uint64_t nodes = least_majority();
    if (std::exchange(asked_, nodes) != nodes) lives.forget_all();
    // None of them has got an answer yet, so that nothing is decided here, between two turns.
    for (acquire_round* r : waiting_) {
        const std::uint64_t asked = r->send_proposal(nodes);
        if (asked == 0) continue;
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
std::uint64_t fence_proposals::least_majority() const {
    const unsigned wanted = core::majority(quorum_.nodes());
    const core::nanoseconds usual = quorum_.round_trip();
    std::uint64_t ready = 0;
    std::uint64_t raising = 0;
    std::uint64_t fit = 0;
    for (std::uint32_t index = 0; index < quorum_.nodes(); ++index) {
        const std::uint64_t node = std::uint64_t{1} << index;
        const session& s = quorum_.session_of(index);
        if (!s.is_ready()) continue;
        ready |= node;
        if (!s.raises_fences()) continue;
        raising |= node;
        if (s.node().round_trip() <= 4 * usual + std::chrono::milliseconds(1)) fit |= node;
    }
    if (static_cast<unsigned>(std::popcount(asked_)) == wanted && (asked_ & ~fit) == 0) return asked_;
    for (const std::uint64_t candidates : {fit, raising, ready})
        if (static_cast<unsigned>(std::popcount(candidates)) >= wanted) return first_of(candidates, wanted);
    return ~std::uint64_t{0} >> (64 - quorum_.nodes());
}

std::uint64_t fence_proposals::first_of(std::uint64_t nodes, unsigned wanted) const noexcept {
    std::uint64_t chosen = 0;
    for (std::uint64_t i = 0; wanted > 0; ++i) {
        const std::uint64_t node = std::uint64_t{1} << (start_ + i) % quorum_.nodes();
        if ((nodes & node) == 0) continue;
        chosen |= node;
        --wanted;
    }
    return chosen;
}

} // namespace redlock::redis
