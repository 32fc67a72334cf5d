#pragma once

#include "etcd_fixture.hpp"
#include "support/fault_proxy.hpp"

namespace redlock::test {

/// Each test has a cluster of its own.
struct leading_servers {};

/// A cluster, and a way to it that can be disturbed.
struct leading_service : etcd_fixture {
    config distant_settings() const {
        config c = settings(cluster.uri_over({network.port()}));
        c.node_timeout = 1s;
        return c;
    }
    client make_distant_client() { return client(context.get_executor(), distant_settings()); }
    /// So many have a key of a lock, or wait for one.
    std::size_t places() { return keys(); }
    /// So many leaders' values stand there.
    std::size_t values() { return cluster.keys("redlock-leader/").size(); }
    void delete_value() { cluster.control({"del", "redlock-leader/key"}); }
    void delete_place() { cluster.control({"del", cluster.keys("redlock/").at(0)}); }

    fault_proxy network{cluster.port()};
};

} // namespace redlock::test
