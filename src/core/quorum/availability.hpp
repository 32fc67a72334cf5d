#pragma once

#include "core/instant.hpp"
#include "core/quorum/node_set.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace redlock::core {

/// What a contender knows of a key that it cannot have yet: on which nodes it is free, until when it is taken
/// on the others, and whether it will be told when that changes. From this follows when to try again: not at
/// the first node that is free, but when a majority can be.
class availability {
public:
    explicit availability(unsigned nodes) : until_(nodes, instant::max()) {}

    /// Somebody has it there, nobody knows for how long.
    void taken(unsigned node) noexcept { taken_until(node, instant::max()); }
    /// Somebody has it there, until then at the latest if nothing prolongs it.
    void taken_until(unsigned node, instant at_latest) noexcept;
    void free(unsigned node) noexcept;
    /// This contender has it there, and means to keep it.
    void ours(unsigned node) noexcept;
    /// It does not, after all: until the news come that it is free, it is taken.
    void give_way() noexcept;
    /// A node refused, for this is there (a hash of the value; every try of a contender has one of its own).
    void refused_for(std::size_t holder) noexcept;
    /// Whether since the last call a node has refused for a holder that none has named lately: then the key
    /// has changed hands.
    bool take_change_of_holder() noexcept { return std::exchange(holder_changed_, false); }
    /// Whether the node tells when the key becomes free there.
    void set_told(unsigned node, bool told) noexcept;
    /// Whether the node takes requests. One that does not is of no use to any contender, and its return is
    /// noticed.
    void set_absent(unsigned node, bool absent) noexcept;

    bool told(unsigned node) const noexcept { return told_.has(node); }
    instant until(unsigned node) const noexcept { return until_[node]; }
    bool is_free(unsigned node) const noexcept { return free_.has(node); }
    bool is_ours(unsigned node) const noexcept { return ours_.has(node); }
    /// The nodes of which it is known that asking them is in vain.
    node_set hopeless() const noexcept { return (told_ - free_ - ours_) | absent_; }

    /// The others, and those whose key has run out by now.
    node_set worth_asking(instant now) const noexcept;

    /// Whether a majority is known to be free, or ours.
    bool free_on_majority() const noexcept;
    /// When a majority is free at the latest, by what is known of the life of the key; `instant::max()` when
    /// too little is.
    instant free_by() const;
    /// Whether no majority can become free without this contender being told.
    bool change_will_be_told() const noexcept;
    /// For how long that is so, by what is known of the life of the key: that it has run out is told late, or
    /// never. `instant::min()` when it is not so.
    instant told_until() const;

private:
    unsigned nodes() const noexcept { return static_cast<unsigned>(until_.size()); }

    node_set free_;
    node_set ours_;
    node_set told_;
    node_set absent_;
    std::vector<instant> until_; ///< by node; `instant::max()` when not known
    static constexpr std::size_t remembered = 16;
    std::array<std::size_t, remembered> holders_{}; ///< named lately, the eldest at `eldest_`; 0 is none
    std::uint8_t eldest_ = 0;
    bool holder_changed_ = false;
};

} // namespace redlock::core
