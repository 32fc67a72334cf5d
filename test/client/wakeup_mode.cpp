#include "wakeup_mode.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace redlock::test {

namespace {

redis_options options_of(const wakeup_mode& mode) {
    redis_options options;
    options.directives = mode.directives;
    if (!mode.rights.empty()) options.directives.push_back("user worker on >secret " + mode.rights);
    return options;
}

} // namespace

wakeup_fixture::wakeup_fixture(const wakeup_mode& m) : proxied_fixture(5, options_of(m)), mode(m) {}

config wakeup_fixture::settings() const {
    config c = proxied_fixture::settings();
    c.key_prefix = "lock:";
    c.wakeup = mode.wanted;
    c.configure_servers = mode.configure;
    if (mode.rights.empty()) return c;
    for (std::size_t i = 0; i < c.nodes.size(); ++i)
        c.nodes[i] = fmt::format("redis://worker:secret@127.0.0.1:{}", proxies[i].port());
    return c;
}

bool wakeup_fixture::knows(const client& locks, wakeup found) {
    return run_until([&] {
        const metrics_snapshot seen = locks.metrics();
        return std::ranges::all_of(seen.nodes, [&](const node_metrics& n) { return n.wakeup == found; });
    });
}

std::size_t wakeup_fixture::channels(std::size_t node) {
    return nodes[node].command({"PUBSUB", "CHANNELS"}).elements.size();
}

} // namespace redlock::test
