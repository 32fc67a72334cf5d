#pragma once

#include "engines/redis/node/address.hpp"
#include "engines/redis/node/cluster/hash_slot.hpp"
#include "time/instant.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::node {

/// Some slots in a row, and the server that has them.
struct slot_range {
    std::uint16_t first = 0;
    std::uint16_t last = 0;
    endpoint owner;
    std::string id; ///< of the owner, in the cluster

    bool operator==(const slot_range&) const = default;
};

/// How the slots are dealt out, as one server of the cluster has it.
using slot_view = std::vector<slot_range>;

/// Who has which slot.
class slot_map {
public:
    static constexpr std::size_t nobody = ~std::size_t{0};

    slot_map() { by_slot_.fill(no_server); }

    /// Number of the owner in `servers`, or `nobody`.
    std::size_t owner_of(std::uint16_t slot) const noexcept {
        return by_slot_[slot] == no_server ? nobody : by_slot_[slot];
    }
    /// Those that have slots, each once.
    const std::vector<endpoint>& servers() const noexcept { return servers_; }
    bool empty() const noexcept { return servers_.empty(); }
    /// Whether every slot has an owner.
    bool is_whole() const noexcept { return std::ranges::find(by_slot_, no_server) == by_slot_.end(); }

    void set(std::uint16_t slot, const endpoint& owner) { set(slot, slot, owner); }
    /// `first` is not above `last`.
    void set(std::uint16_t first, std::uint16_t last, const endpoint& owner);

    bool operator==(const slot_map&) const = default;

private:
    static constexpr std::uint16_t no_server = 0xffff;

    std::vector<endpoint> servers_;
    std::array<std::uint16_t, hash_slots> by_slot_{};
};

/// Finds out how the slots are dealt out from what the masters of a cluster say: a slot belongs to the server
/// that a majority of them names.
///
/// What was said counts for `life` from when it was asked for, so that who is cut off from the majority
/// together with a master does not go on believing that one ("Redis cluster specification", "Write safety": a
/// master in the minority may take commands for a while after another has its place).
///
/// No I/O; takes the time from outside.
class slot_council {
public:
    explicit slot_council(std::chrono::nanoseconds life) noexcept : life_(life) {}

    /// The server of this id was asked at that instant. Its word counts if it has slots itself. At most
    /// `most_members` are kept.
    void said(std::string_view id, slot_view view, time::instant asked);

    /// The slots on which there is agreement now.
    slot_map agreed(time::instant now) const;
    /// When what was said counts no more; `max()` where nothing does.
    time::instant next_change(time::instant now) const noexcept;

    /// Of the masters that there are, how many have to agree, and how many have spoken.
    unsigned needed(time::instant now) const;
    unsigned speaking(time::instant now) const noexcept;

    std::chrono::nanoseconds life() const noexcept { return life_; }

    /// The most that a cluster has ("Redis cluster goals").
    static constexpr std::size_t most_members = 1000;

private:
    struct member {
        std::string id;
        slot_view view;
        time::instant asked;
    };
    bool counts(const member& m, time::instant now) const noexcept { return now < m.asked + life_; }

    std::chrono::nanoseconds life_;
    std::vector<member> members_;
};

} // namespace redlock::node
