#pragma once

#include "core/instant.hpp"

#include <cstdint>
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
    /// Whether the node tells when the key becomes free there.
    void set_told(unsigned node, bool told) noexcept;
    /// Whether the node takes requests. One that does not is of no use to any contender, and its return is
    /// noticed.
    void set_absent(unsigned node, bool absent) noexcept;

    bool told(unsigned node) const noexcept { return (told_ & bit(node)) != 0; }

    /// Whether a majority is known to be free.
    bool free_on_majority() const noexcept;
    /// When a majority is free at the latest, by what is known of the life of the key; `instant::max()` when
    /// too little is.
    instant free_by() const;
    /// Whether no majority can become free without this contender being told.
    bool change_will_be_told() const noexcept;

private:
    static std::uint64_t bit(unsigned node) noexcept { return std::uint64_t{1} << node; }
    unsigned nodes() const noexcept { return static_cast<unsigned>(until_.size()); }

    std::uint64_t free_ = 0; ///< one bit for each node, as in the next two
    std::uint64_t told_ = 0;
    std::uint64_t absent_ = 0;
    std::vector<instant> until_; ///< by node; `instant::max()` when not known
};

} // namespace redlock::core
