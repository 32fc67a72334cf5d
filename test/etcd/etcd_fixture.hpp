#pragma once

#include "../engine/engine_fixture.hpp"
#include "support/etcd_server.hpp"

#include <algorithm>
#include <string>

namespace redlock::test {

/// A cluster of its own, and an event loop, which the test runs itself.
struct etcd_fixture : engine_fixture {
    explicit etcd_fixture(etcd_options options = {}) : cluster(std::move(options)) {}

    config settings(const std::string& uri) const {
        config c;
        c.nodes = {uri};
        c.node_timeout = 2s; // that no busy machine makes a healthy server miss
        return c;
    }
    config settings() const { return settings(cluster.uri()); }
    client make_client() { return client(context.get_executor(), settings()); }

    /// So many have keys there, as another client of the cluster sees it.
    std::size_t keys() { return cluster.keys("redlock/").size(); }
    /// As `keys`, with what makes late requests void.
    std::size_t all_keys() { return cluster.keys("redlock").size(); }
    bool becomes_free() {
        return run_until([&] { return keys() == 0; });
    }
    bool waits(client& asks, std::uint64_t how_many, const std::string& key = "key") {
        return run_until([&] { return inspect(asks, key).waiting.value_or(0) == how_many; });
    }
    /// Leases that the cluster knows.
    std::size_t leases() {
        const std::string listed = cluster.control({"lease", "list"});
        const auto lines = static_cast<std::size_t>(std::ranges::count(listed, '\n'));
        return lines > 0 ? lines - 1 : 0;
    }

    etcd_server cluster;
};

} // namespace redlock::test
