#pragma once

#include "../client/lock_fixture.hpp"
#include "support/real_cluster.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace redlock::test {

/// A cluster, and servers beside it.
struct cluster_fixture : lock_fixture {
    explicit cluster_fixture(std::size_t servers = 0, cluster_options options = {})
        : lock_fixture(servers), cluster(std::move(options)) {}

    config settings(std::chrono::milliseconds guard = 0ms) const {
        config c = lock_fixture::settings();
        c.nodes.insert(c.nodes.begin(), cluster.uri());
        c.restart_guard = guard;
        return c;
    }
    static node_metrics node(const client& locks) { return locks.metrics().nodes.front(); }
    bool becomes(const client& locks, const std::string& state) {
        return run_until([&] { return node(locks).state == state; });
    }
    bool becomes_ready(const client& locks) { return lock_fixture::becomes_ready(locks, nodes.size() + 1); }
    bool has_word(const client& locks, const std::string& word) {
        return node(locks).last_error_text.find(word) != std::string::npos;
    }
    /// A key whose slot this master had at first.
    std::string key_of(std::size_t master) {
        for (unsigned i = 0;; ++i)
            if (std::string key = "key" + std::to_string(i); cluster.first_owner(key) == master) return key;
    }

    error_code extend(lease& held, std::chrono::milliseconds ttl) {
        outcome<> result;
        held.async_extend(ttl, asio::bind_executor(context, result.handler()));
        BOOST_REQUIRE(run_until([&] { return result.done(); }));
        return result.error();
    }
    /// How many listen at this master to what happens to a key.
    std::int64_t listeners(std::size_t master, const std::string& key) {
        const auto told = cluster.master(master).command({"PUBSUB", "NUMSUB", "__keyspace@0__:" + key});
        return told.elements.at(1).integer;
    }
    /// Once, for less than any guard.
    static lock_options briefly() {
        lock_options options = once();
        options.ttl = 1s;
        return options;
    }

    real_cluster cluster;
};

} // namespace redlock::test
