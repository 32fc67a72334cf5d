#pragma once

#include "core/mistake.hpp"
#include "engines/redis/node/group/whereabouts.hpp"
#include "time/instant.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::node {

/// What one Sentinel says of a group.
struct testimony {
    endpoint master;
    std::uint64_t epoch = 0; ///< of the configuration, which every fail-over raises
    time::instant since;     ///< the Sentinel has seen that server be a master, at the latest
    unsigned sentinels = 1;  ///< watch over the group as far as it knows, itself included
};

/// Finds the master of a group in what its Sentinels say: the server that a majority of them names.
///
/// What was said counts for `life` from when it was asked for, so that who is cut off from the Sentinels does
/// not go on believing them. Only the latest configuration counts: a Sentinel has raised the epoch when a
/// majority let it lead a fail-over (redis.io, "High availability with Redis Sentinel", "Configuration
/// epochs"), and the old master is none any more although the others may not have heard of it.
///
/// No I/O; takes the time from outside.
class council {
public:
    explicit council(std::chrono::nanoseconds life) noexcept : life_(life) {}

    /// So many Sentinels are known to exist, whatever they say. At least 1.
    void expect(unsigned sentinels) noexcept { expected_ = sentinels; }
    /// The Sentinel of this name was asked at that instant. At most `most_members` are kept.
    void said(std::string_view sentinel, testimony, time::instant asked);
    /// It does not know the group.
    void knows_nothing(std::string_view sentinel) noexcept;

    std::optional<master_place> master(time::instant now) const;
    /// When to look again, for something that was said does not count any more. `max()` where nothing does.
    time::instant next_change(time::instant now) const noexcept;

    /// How many have to agree, of all that there are.
    unsigned needed(time::instant now) const noexcept;
    /// How many name the server that most of those with the latest configuration name.
    unsigned agreeing(time::instant now) const;

    std::chrono::nanoseconds life() const noexcept { return life_; }

    static constexpr std::size_t most_members = 32;

private:
    struct member {
        std::string name;
        testimony said;
        time::instant asked;
    };
    struct candidate {
        master_place place;
        unsigned votes = 0;
    };

    bool counts(const member& m, time::instant now) const noexcept {
        return now < m.asked + life_ || planted(core::mistake::old_master_believed);
    }
    candidate leading(time::instant now) const;

    std::chrono::nanoseconds life_;
    unsigned expected_ = 1;
    std::vector<member> members_;
};

} // namespace redlock::node
