#pragma once

#include "../client/lock_fixture.hpp"
#include "support/watched_group.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace redlock::test {

/// A group and two servers: three nodes. A client needs the group for its majority once a server is down.
struct group_fixture : lock_fixture {
    explicit group_fixture(group_options options = {}) : group_fixture(2, std::move(options)) {}
    group_fixture(std::size_t servers, group_options options)
        : lock_fixture(servers), group(std::move(options)) {
        group.await_ready();
    }

    config settings(std::chrono::milliseconds guard = 0ms) const {
        config c = lock_fixture::settings();
        c.nodes.insert(c.nodes.begin(), group.uri());
        c.restart_guard = guard;
        return c;
    }
    static node_metrics node(const client& locks) { return locks.metrics().nodes.front(); }
    bool becomes(const client& locks, const std::string& state) {
        return run_until([&] { return node(locks).state == state; });
    }
    bool becomes_ready(const client& locks) { return lock_fixture::becomes_ready(locks, nodes.size() + 1); }
    /// Whether the client comes to be connected to this one.
    bool moves_to(const client& locks, const redis_server& server) {
        return run_until([&] { return node(locks).master == "127.0.0.1:" + std::to_string(server.port()); });
    }
    bool has_word(const client& locks, const std::string& word) {
        return node(locks).last_error_text.find(word) != std::string::npos;
    }

    watched_group group;
};

} // namespace redlock::test
