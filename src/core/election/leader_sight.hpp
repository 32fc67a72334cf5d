#pragma once

#include "core/election/leader_knowledge.hpp"
#include "core/quorum/tally.hpp"

#include <cassert>
#include <cstdint>
#include <optional>

namespace redlock::core {

/// One look at what a leader has proclaimed on the nodes. Whoever leads has a majority of them, so of any
/// majority that answers one has what he proclaimed last: the highest that is seen. What a majority has not
/// is nobody's any more.
class leader_sight {
public:
    enum class verdict : std::uint8_t {
        open, ///< what is still to come may change it
        leads,
        nobody,
        unreachable ///< too few have answered
    };

    explicit leader_sight(unsigned nodes) noexcept : nodes_(static_cast<std::uint8_t>(nodes)) {}

    // Each node says one of these, once.
    void found(std::uint32_t node, const leader_mark& proclaimed) noexcept {
        ++found_;
        if (!highest_at_ || is_behind(highest_, proclaimed)) {
            highest_ = proclaimed;
            highest_at_ = node;
            agreeing_ = 0;
        }
        agreeing_ += proclaimed == highest_;
        is_agreed_ |= agreeing_ >= majority(nodes_);
    }
    void found_nothing() noexcept { ++without_; }
    void failed() noexcept { ++failed_; }

    verdict decide() const noexcept {
        const unsigned needed = majority(nodes_);
        if (without_ >= needed) return verdict::nobody;
        if (failed_ > nodes_ - needed) return verdict::unreachable;
        const bool all_said = found_ + without_ + failed_ == nodes_;
        // Whoever comes behind one that has a majority will be told of by the next look.
        return all_said || is_agreed_ ? verdict::leads : verdict::open;
    }

    /// Of `leads`: what was proclaimed last, and a node that has it.
    const leader_mark& highest() const noexcept { return highest_; }
    std::uint32_t highest_at() const noexcept {
        assert(highest_at_);
        return *highest_at_;
    }

private:
    leader_mark highest_;
    std::optional<std::uint32_t> highest_at_;
    unsigned found_ = 0;
    unsigned without_ = 0;
    unsigned failed_ = 0;
    unsigned agreeing_ = 0;  ///< that have the highest
    bool is_agreed_ = false; ///< on one by a majority, also when another came behind it
    std::uint8_t nodes_;
};

} // namespace redlock::core
