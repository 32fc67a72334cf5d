#pragma once

#include "../client/outcome.hpp"
#include "support/event_loop.hpp"
#include "support/zookeeper_server.hpp"

#include <redlock/client.hpp>

#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <utility>

namespace redlock::test {

using namespace std::chrono_literals;
using boost::system::error_code;

/// Longer than any test takes.
inline constexpr std::chrono::milliseconds long_ttl{600'000};

inline lock_options once(std::chrono::milliseconds ttl = long_ttl) { return {.ttl = ttl, .wait = 0ms}; }
inline lock_options patiently(std::chrono::milliseconds ttl = long_ttl) { return {.ttl = ttl}; }
inline lock_options fenced(std::chrono::milliseconds ttl = long_ttl) { return {.ttl = ttl, .fencing = true}; }

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
struct zookeeper_fixture : event_loop {
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

    zookeeper_server& ensemble;
    const std::string root;
    static inline unsigned tests = 0;
};

} // namespace redlock::test
