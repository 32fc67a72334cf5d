#pragma once

#include "../client/first_node_fixture.hpp"
#include "support/real_cluster.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace redlock::test {

/// A cluster, and servers beside it.
struct cluster_fixture : first_node_fixture {
    explicit cluster_fixture(std::size_t servers = 0, cluster_options options = {})
        : first_node_fixture(servers), cluster(std::move(options)) {}

    config settings(std::chrono::milliseconds guard = 0ms) const {
        return first_node_fixture::settings(cluster.uri(), guard);
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
