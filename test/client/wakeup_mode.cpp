#include "wakeup_mode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

namespace redlock::test {

namespace {

redis_options options_of(const wakeup_mode& mode) {
    redis_options options;
    options.directives = mode.directives;
    if (!mode.rights.empty()) options.directives.push_back("user worker on >secret " + mode.rights);
    return options;
}

} // namespace

std::string rights_in_guide(const std::string& way) {
    std::ifstream guide(REDLOCK_RIGHTS_FILE);
    for (std::string line; std::getline(guide, line);)
        if (line.starts_with("user " + way + " "))
            if (const auto password = line.find(">secret "); password != line.npos)
                return line.substr(password + std::string(">secret ").size());
    throw std::runtime_error("the guide has no line for a user who waits by " + way);
}

const std::vector<wakeup_mode>& wakeup_modes() {
    static const std::vector<wakeup_mode> modes = {
        {.name = "events", .directives = {"notify-keyspace-events Kg"}, .found = wakeup::keyspace_events},
        {.name = "events, minimal rights",
         .directives = {"notify-keyspace-events KEA"},
         .rights = rights_in_guide("events"),
         .found = wakeup::keyspace_events},
        {.name = "events, set by the client",
         .directives = {"notify-keyspace-events Es"},
         .configure = true,
         .found = wakeup::keyspace_events},
        {.name = "tracking", .directives = {}, .found = wakeup::client_tracking},
        {.name = "tracking, minimal rights",
         .directives = {},
         .rights = rights_in_guide("tracking"),
         .found = wakeup::client_tracking},
        {.name = "tracking, CONFIG forbidden",
         .directives = {},
         .rights = "~lock:* &* +@all -config",
         .configure = true,
         .found = wakeup::client_tracking},
        {.name = "tracking, SUBSCRIBE forbidden",
         .directives = {"notify-keyspace-events KEA"},
         .rights = "~lock:* &* +@all -subscribe",
         .found = wakeup::client_tracking},
        {.name = "tracking, wanted",
         .directives = {"notify-keyspace-events KEA"},
         .wanted = wakeup::client_tracking,
         .found = wakeup::client_tracking},
        {.name = "events over RESP2",
         .directives = {"notify-keyspace-events KEA", "rename-command HELLO \"\""},
         .found = wakeup::keyspace_events},
        {.name = "timed over RESP2", .directives = {"rename-command HELLO \"\""}, .found = wakeup::timed},
        {.name = "timed, minimal rights",
         .directives = {"notify-keyspace-events KEA"},
         .rights = rights_in_guide("timed"),
         .found = wakeup::timed},
        {.name = "timed, wanted",
         .directives = {"notify-keyspace-events KEA"},
         .wanted = wakeup::timed,
         .found = wakeup::timed},
    };
    return modes;
}

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
    return nodes[node].command({"PUBSUB", "CHANNELS", "__keyspace@*"}).elements.size();
}

} // namespace redlock::test
