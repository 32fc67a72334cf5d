#pragma once

#include "chaos/history.hpp"
#include "support/child_process.hpp"
#include "support/fault_proxy.hpp"
#include "support/node_set.hpp"
#include "support/temporary_folder.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace redlock::chaos {

inline constexpr std::size_t node_count = 5;
inline constexpr std::size_t site_count = 2;

/// Five nodes that keep what they have promised, and ten clients on two sites, each with a network of its own
/// to every node.
class cluster {
public:
    static constexpr std::size_t clients = 10;

    /// `guard` is the clients' restart guard. There is space for `holds_of_each` leases of each client.
    cluster(unsigned seed, std::chrono::milliseconds guard, std::size_t holds_of_each);

    test::redis_server& node(std::size_t index) { return nodes_[index]; }
    test::fault_proxy& way(std::size_t site, std::size_t node) { return ways_[site].at(node); }
    test::child_process& client(std::size_t number) { return *clients_.at(number); }
    const history& log() const noexcept { return log_; }

    /// Starts a client, in the place of one that was killed.
    void start_client(std::size_t number);

    /// Tells all clients to come to an end. Returns those that did not, within the bound, or not in good
    /// order.
    std::vector<std::string> end_clients(std::chrono::milliseconds bound);
    /// The lock keys that are left on any node, as "node 0 has key:1".
    std::vector<std::string> keys_left();

private:
    unsigned seed_;
    std::chrono::milliseconds guard_;
    std::size_t holds_of_each_;
    test::temporary_folder folder_;
    history log_;
    test::node_set nodes_;
    std::array<std::deque<test::fault_proxy>, site_count> ways_;
    std::array<std::optional<test::child_process>, clients> clients_;
};

} // namespace redlock::chaos
