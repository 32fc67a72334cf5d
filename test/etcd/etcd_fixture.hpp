#pragma once

#include "../client/outcome.hpp"
#include "support/etcd_server.hpp"
#include "support/event_loop.hpp"

#include <redlock/client.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>

namespace redlock::test {

using namespace std::chrono_literals;
using boost::system::error_code;

/// Longer than any test takes.
inline constexpr std::chrono::milliseconds long_ttl{600'000};

inline lock_options once(std::chrono::milliseconds ttl = long_ttl) { return {.ttl = ttl, .wait = 0ms}; }
inline lock_options patiently(std::chrono::milliseconds ttl = long_ttl) { return {.ttl = ttl}; }
inline lock_options fenced(std::chrono::milliseconds ttl = long_ttl) { return {.ttl = ttl, .fencing = true}; }

/// A cluster of its own, and an event loop, which the test runs itself.
struct etcd_fixture : event_loop {
    explicit etcd_fixture(etcd_options options = {}) : cluster(std::move(options)) {}

    config settings(const std::string& uri) const {
        config c;
        c.nodes = {uri};
        c.node_timeout = 2s; // that no busy machine makes a healthy server miss
        return c;
    }
    config settings() const { return settings(cluster.uri()); }
    client make_client() { return client(context.get_executor(), settings()); }

    template <class Ending>
    void complete(const Ending& ending) {
        if (!run_until([&] { return ending.done(); })) throw std::runtime_error("it did not complete");
    }
    /// Throws when it is not granted.
    lease lock(client& locks, const std::string& key = "key", lock_options options = patiently()) {
        outcome<lease> result;
        locks.async_lock(key, options, result.handler());
        complete(result);
        if (result.error())
            throw boost::system::system_error(result.error(), locks.metrics().nodes.at(0).last_error_text);
        return std::move(result.value());
    }
    /// A lease that was granted is released again.
    error_code try_lock(client& locks, const std::string& key = "key", lock_options options = once()) {
        outcome<lease> result;
        locks.async_lock(key, options, result.handler());
        complete(result);
        if (!result.error()) unlock(result.value());
        return result.error();
    }
    error_code unlock(lease& held) {
        outcome<> result;
        held.async_unlock(result.handler());
        complete(result);
        return result.error();
    }
    void close(client& locks) {
        outcome<> result;
        locks.async_close(result.handler());
        complete(result);
    }
    key_report inspect(client& locks, const std::string& key = "key") {
        outcome<key_report> result;
        locks.async_inspect(key, result.handler());
        complete(result);
        if (result.error()) throw boost::system::system_error(result.error());
        return std::move(result.value());
    }
    error_code check(client& locks, std::uint64_t token, const std::string& key = "key") {
        outcome<> result;
        locks.async_check(key, token, result.handler());
        complete(result);
        return result.error();
    }
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
