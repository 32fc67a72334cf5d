#pragma once

#include "core/quorum/node_set.hpp"

#include <cassert>
#include <cstdint>

namespace redlock::core {

/// Votes needed out of `nodes`: more than half of all that are configured, whether they are up or not.
constexpr unsigned majority(unsigned nodes) noexcept { return nodes / 2 + 1; }

/// What one node said in a round. `failed` says nothing about the key: the node may have done what it was
/// asked.
enum class vote : std::uint8_t { yes, no, failed };

/// What a round has come to.
enum class verdict : std::uint8_t {
    open,       ///< both ends are still possible
    granted,    ///< a majority said yes
    refused,    ///< a majority of yes is impossible, and not for want of nodes alone
    unreachable ///< so many nodes failed that the rest is no majority
};

/// Counts the votes of one round and decides as early as the outcome is certain.
class tally {
public:
    explicit tally(unsigned nodes) noexcept : nodes_(static_cast<std::uint8_t>(nodes)) {}

    /// Each node votes once, unless its vote was taken back.
    void record(unsigned node, vote v) noexcept {
        assert(node < nodes_);
        assert(!voted(node));
        votes_[static_cast<unsigned>(v)].add(node);
        ++counts_[static_cast<unsigned>(v)];
    }
    /// The node is asked again.
    void take_back(unsigned node) noexcept;

    verdict decide() const noexcept {
        const unsigned needed = majority(nodes_);
        if (count(vote::yes) >= needed) return verdict::granted;
        if (count(vote::failed) > nodes_ - needed) return verdict::unreachable;
        if (count(vote::yes) + pending() < needed) return verdict::refused;
        return verdict::open;
    }

    /// Whether so many nodes said no that the others are no majority, whatever the failed ones would have
    /// said.
    bool definitely_no() const noexcept { return count(vote::no) > nodes_ - majority(nodes_); }

    /// As `decide`, where a node that failed may as well have said yes: refused means that a majority
    /// definitely cannot.
    verdict decide_on_certainty() const noexcept;

    /// Whether a majority said yes or no.
    bool answered_by_majority() const noexcept {
        return count(vote::yes) + count(vote::no) >= majority(nodes_);
    }

    unsigned nodes() const noexcept { return nodes_; }
    unsigned count(vote v) const noexcept { return counts_[static_cast<unsigned>(v)]; }
    node_set who(vote v) const noexcept { return votes_[static_cast<unsigned>(v)]; }
    unsigned pending() const noexcept { return unsigned{nodes_} - counts_[0] - counts_[1] - counts_[2]; }
    bool voted(unsigned node) const noexcept { return voted().has(node); }
    bool is(unsigned node, vote v) const noexcept { return who(v).has(node); }

private:
    node_set voted() const noexcept { return votes_[0] | votes_[1] | votes_[2]; }

    node_set votes_[3];
    std::uint8_t counts_[3] = {0, 0, 0}; ///< of those
    std::uint8_t nodes_;
};

} // namespace redlock::core
