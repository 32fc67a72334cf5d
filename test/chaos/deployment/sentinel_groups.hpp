#pragma once

#include "chaos/deployment/networks.hpp"
#include "support/watched_group.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <deque>
#include <set>
#include <string>
#include <vector>

namespace redlock::chaos {

/// Three groups of a master, a replica and three Sentinels each, which clients reach over networks of their
/// own. The Sentinels log in at the servers as a user of their own, so that they can be kept away from a
/// server that all others reach. Masters are replaced no oftener than two of three groups can vote again in
/// between.
class sentinel_groups final : public deployment {
public:
    sentinel_groups();

    std::vector<std::string> addresses(std::size_t site) override;
    client_terms terms() const override;
    faults known_faults() override;
    rhythm pace() const override;
    std::vector<std::string> keys_left() override;
    std::string remark() const override;

private:
    using clock = std::chrono::steady_clock;
    using milliseconds = std::chrono::milliseconds;
    static constexpr std::size_t count = 3;
    static constexpr std::size_t servers = 2;   ///< of each group
    static constexpr std::size_t sentinels = 3; ///< of each group
    enum class loss_of_master { killed, stopped, unwatched, ordered };

    static std::vector<std::uint16_t> sentinel_ports(std::deque<test::watched_group>& groups);
    std::size_t way_to(std::size_t group, std::size_t sentinel) const { return group * sentinels + sentinel; }

    // Faults.
    bool replace_master(loss_of_master how, dice& chance, wounds& open);
    bool stop_replica(dice& chance, wounds& open);
    bool stop_sentinel(dice& chance, wounds& open);
    bool blind_site(dice& chance, wounds& open);
    bool kill_connections(dice& chance);
    bool stop(test::redis_server& server, milliseconds how_long, wounds& open);
    void kill_master(test::redis_server& victim, milliseconds how_long, wounds& open);
    void hide_master(test::redis_server& victim, milliseconds how_long, wounds& open);
    static void let_be_watched(test::redis_server& one, bool seen);
    /// Which server of the group says that it is the master, if all of it can be asked.
    std::size_t master_of(std::size_t group);
    bool is_well(test::redis_server& server) const { return !hurt_.contains(&server); }

    std::deque<test::watched_group> groups_;
    networks networks_;
    clock::time_point next_master_;
    std::set<const test::redis_server*> hurt_;
    std::array<std::array<bool, count>, site_count> blind_{};
    std::set<std::size_t> masters_; ///< that were seen to be one
};

} // namespace redlock::chaos
