#include "lock_fixture.hpp"

#include <boost/asio/bind_executor.hpp>

#include <algorithm>

namespace redlock::test {

lock_options once() {
    lock_options options;
    options.ttl = long_ttl;
    options.wait = 0ms;
    return options;
}

lock_options patiently() {
    lock_options options;
    options.ttl = long_ttl;
    return options;
}

// A script that looks at the time before it changes anything has then changed nothing.
void lock_fixture::forbid_queues() {
    for (auto& node : nodes)
        node.command({"ACL", "SETUSER", "default", "-time"});
}

config lock_fixture::settings() const {
    config c;
    c.nodes = nodes.uris();
    c.node_timeout = 3s;
    return c;
}

lease lock_fixture::lock(client& locks, const std::string& key, lock_options options) {
    return run(locks.async_lock(key, options, asio::use_awaitable));
}

error_code lock_fixture::try_lock(client& locks, const std::string& key, lock_options options) {
    outcome<lease> result;
    locks.async_lock(key, options, result.handler());
    if (!run_until([&] { return result.done(); })) throw std::runtime_error("async_lock did not complete");
    return result.error();
}

error_code lock_fixture::unlock(lease& held) {
    outcome<> result;
    // Here, where it is looked at, also when the client runs on a thread of its own.
    held.async_unlock(asio::bind_executor(context, result.handler()));
    if (!run_until([&] { return result.done(); })) throw std::runtime_error("async_unlock did not complete");
    return result.error();
}

void lock_fixture::close(client& locks) { run(locks.async_close(asio::use_awaitable)); }

bool lock_fixture::becomes_free(const std::string& key) {
    return run_until([&] { return nodes.holders(key) == 0; });
}

bool lock_fixture::becomes_ready(const client& locks, std::size_t count) {
    return run_until([&] { return ready_nodes(locks) == (count == 0 ? nodes.size() : count); });
}

proxied_fixture::proxied_fixture(std::size_t count, const redis_options& options)
    : lock_fixture(count, options) {
    for (auto& node : nodes)
        proxies.emplace_back(node.port());
}

config proxied_fixture::settings() const {
    config c = lock_fixture::settings();
    c.nodes.clear();
    for (const auto& proxy : proxies)
        c.nodes.push_back(proxy.uri());
    return c;
}

std::size_t ready_nodes(const client& locks) {
    const metrics_snapshot seen = locks.metrics();
    return static_cast<std::size_t>(std::ranges::count_if(seen.nodes, [](const node_metrics& n) {
        return n.state == "ready" && n.wakeup != wakeup::automatic;
    }));
}

} // namespace redlock::test
