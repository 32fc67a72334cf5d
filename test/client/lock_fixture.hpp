#pragma once

#include "outcome.hpp"
#include "support/event_loop.hpp"
#include "support/fault_proxy.hpp"
#include "support/node_set.hpp"

#include <redlock/client.hpp>

#include <boost/asio/use_awaitable.hpp>

#include <deque>
#include <string>
#include <vector>

namespace redlock::test {

using namespace std::chrono_literals;
using boost::system::error_code;

/// Longer than any test takes: a key that is gone before was deleted, it has not run out.
inline constexpr std::chrono::milliseconds long_ttl{600'000};

/// One attempt for a lease that no test outlives.
lock_options once();
/// The same with as many attempts as it takes.
lock_options patiently();

/// A set of real nodes and an event loop, which the test runs itself.
struct lock_fixture : event_loop {
    explicit lock_fixture(std::size_t count = 5, const redis_options& options = {}) : nodes(count, options) {}

    /// The nodes directly, with a deadline that no busy machine makes a healthy node miss.
    config settings() const;

    lease lock(client& locks, const std::string& key, lock_options options = patiently());
    /// Tries to lock and says what came of it. A lease that was granted is released again.
    error_code try_lock(client& locks, const std::string& key, lock_options options = once());
    error_code unlock(lease& held);
    void close(client& locks);

    /// Waits until no node has the key. False when one still had it after all patience.
    bool becomes_free(const std::string& key);
    /// Waits until every node is connected to the client.
    bool becomes_ready(const client& locks, std::size_t count = 0);
    /// What a queue needs is forbidden from now on: those who wait race for the key.
    void forbid_queues();

    node_set nodes;
};

/// The same with a proxy in front of every node.
struct proxied_fixture : lock_fixture {
    explicit proxied_fixture(std::size_t count = 5, const redis_options& options = {});

    /// The nodes through their proxies.
    config settings() const;

    std::deque<fault_proxy> proxies;
};

/// How many nodes are ready, as the client sees them, and have shown how they tell of changes: nothing is
/// under way then that no caller asked for.
std::size_t ready_nodes(const client& locks);

} // namespace redlock::test
