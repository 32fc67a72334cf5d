#pragma once

#include "client/lock_fixture.hpp"
#include "network/name_server.hpp"

#include <fmt/format.h>

#include <string>

namespace redlock::test {

/// Servers at addresses of their own, on one port, and names for them.
struct network_fixture : event_loop {
    static constexpr int port = 7000;

    static redis_options at(const std::string& address) {
        return {.directives = {"bind " + address, fmt::format("port {}", port), "protected-mode no"}};
    }
    static std::string uri(const std::string& host) { return fmt::format("redis://{}:{}", host, port); }

    /// With a deadline that no busy machine makes a healthy node miss.
    static config settings(std::vector<std::string> hosts) {
        config c;
        for (const std::string& host : hosts)
            c.nodes.push_back(uri(host));
        c.node_timeout = std::chrono::seconds(10);
        return c;
    }

    static node_metrics node(const client& locks, std::size_t index = 0) {
        return locks.metrics().nodes.at(index);
    }
    bool becomes_ready(const client& locks, std::size_t index = 0) {
        return run_until([&] { return node(locks, index).state == "ready"; });
    }
    /// Waits until the node is lost for a reason that has these words in it.
    bool is_lost(const client& locks, const std::string& words, std::size_t index = 0) {
        return run_until([&] { return node(locks, index).last_error_text.find(words) != std::string::npos; });
    }
    void lock_and_unlock(client& locks, const std::string& key) {
        lease held = run(locks.async_lock(key, {.wait = patience}, asio::use_awaitable));
        run(held.async_unlock(asio::use_awaitable));
    }

    name_server names;
};

} // namespace redlock::test
