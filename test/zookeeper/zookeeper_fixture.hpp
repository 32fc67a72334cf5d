#pragma once

#include "../engine/engine_fixture.hpp"
#include "support/zookeeper_server.hpp"

#include <memory>
#include <string>
#include <utility>

namespace redlock::test {

/// One server for all tests of a suite, which is started by the first: a JVM takes its time.
struct shared_server {
    shared_server() { server() = std::make_unique<zookeeper_server>(); }
    ~shared_server() { server().reset(); }
    static std::unique_ptr<zookeeper_server>& server() {
        static std::unique_ptr<zookeeper_server> one;
        return one;
    }
};

/// Likewise, with sessions of 30 s: whoever is slow for a while does not lose his.
struct shared_patient_server {
    shared_patient_server() {
        server = std::make_unique<zookeeper_server>(zookeeper_server::settings{.tick = 15'000});
    }
    ~shared_patient_server() { server.reset(); }
    static inline std::unique_ptr<zookeeper_server> server;
};

/// A root of its own on a server that runs, and an event loop, which the test runs itself.
struct zookeeper_fixture : engine_fixture {
    explicit zookeeper_fixture(zookeeper_server& s = *shared_server::server())
        : ensemble(s), root("/test-" + std::to_string(++tests)) {}

    config settings(const std::string& uri) const {
        config c;
        c.nodes = {uri};
        c.node_timeout = 10s; // that no busy machine makes a healthy server miss, even one just started
        return c;
    }
    config settings() const { return settings(ensemble.uri({}, root)); }
    client make_client() { return client(context.get_executor(), settings()); }

    zookeeper_server& ensemble;
    const std::string root;
    static inline unsigned tests = 0;
};

} // namespace redlock::test
