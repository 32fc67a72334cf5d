#pragma once

#include "../client/first_node_fixture.hpp"
#include "support/watched_group.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace redlock::test {

/// A group and two servers: three nodes. A client needs the group for its majority once a server is down.
struct group_fixture : first_node_fixture {
    explicit group_fixture(group_options options = {}) : group_fixture(2, std::move(options)) {}
    group_fixture(std::size_t servers, group_options options)
        : first_node_fixture(servers), group(std::move(options)) {
        group.await_ready();
    }

    config settings(std::chrono::milliseconds guard = 0ms) const {
        return first_node_fixture::settings(group.uri(), guard);
    }
    /// Whether the client comes to be connected to this one.
    bool moves_to(const client& locks, const redis_server& server) {
        return run_until([&] { return node(locks).master == "127.0.0.1:" + std::to_string(server.port()); });
    }

    watched_group group;
};

} // namespace redlock::test
