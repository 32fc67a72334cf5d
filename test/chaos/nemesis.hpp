#pragma once

#include "chaos/checker.hpp"
#include "chaos/cluster.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <random>
#include <string_view>
#include <vector>

namespace redlock::chaos {

/// What the nemesis does to a cluster.
enum class fault : std::size_t {
    node_killed,
    node_stopped,
    node_without_data, ///< killed, and started again with nothing
    black_hole,        ///< between one site and one node
    one_way,           ///< bytes are lost in one direction
    frozen,            ///< bytes come late
    slow,
    reset,
    refused,
    partition, ///< one site loses sight of several nodes
    client_stopped,
    client_killed
};
inline constexpr std::size_t fault_kinds = 12;
std::string_view name_of(fault kind);

/// Makes faults, several at a time, and heals them again. Call `step` every few milliseconds, in the thread
/// that made the cluster.
class nemesis {
public:
    /// Nodes lose their data only when they may, and are not trusted for `guard` after that.
    nemesis(cluster& victims, unsigned seed, bool may_lose_data, std::chrono::milliseconds guard);

    void step();
    /// Heals everything.
    void calm();

    const std::array<std::size_t, fault_kinds>& counts() const noexcept { return counts_; }
    /// When each site had a majority of the nodes within reach, up to now.
    std::vector<span> majority_up() const;

private:
    using clock = std::chrono::steady_clock;
    struct wound {
        clock::time_point end;
        std::function<void()> heal;
    };
    struct node_state {
        bool up = true;
        std::int64_t trusted_from = 0;
    };

    std::size_t below(std::size_t limit) {
        return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_);
    }
    void strike();
    bool strike_node(fault kind);
    bool strike_way(fault kind);
    bool strike_client(fault kind);
    bool part_site();
    void inflict(test::fault_proxy& way, fault kind);
    void heal_later(std::function<void()> heal);
    void look();

    cluster& victims_;
    std::mt19937 random_;
    bool may_lose_data_;
    std::int64_t guard_;
    std::vector<wound> wounds_;
    clock::time_point next_ = clock::now();
    std::array<node_state, node_count> nodes_;
    std::array<std::array<bool, node_count>, site_count> passes_;
    std::array<bool, cluster::clients> stopped_{};
    std::array<std::size_t, fault_kinds> counts_{};
    std::vector<span> spans_;
    bool up_ = false;
};

} // namespace redlock::chaos
