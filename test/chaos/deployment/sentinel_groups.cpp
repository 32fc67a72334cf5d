#include "chaos/deployment/sentinel_groups.hpp"

#include <fmt/format.h>

#include <system_error>

namespace redlock::chaos {
namespace {

constexpr const char* password = "of-all";
constexpr const char* watcher = "watcher";

test::group_options options_of_each() {
    return {.password = password,
            .server_directives = {"notify-keyspace-events KEA",
                                  fmt::format("user {} on >{} ~* &* +@all", watcher, password)},
            .sentinel_directives = {fmt::format("sentinel auth-user group {}", watcher)}};
}

std::deque<test::watched_group> running_groups(std::size_t count) {
    std::deque<test::watched_group> all;
    for (std::size_t i = 0; i < count; ++i)
        all.emplace_back(options_of_each());
    for (test::watched_group& group : all)
        group.await_ready();
    return all;
}

} // namespace

sentinel_groups::sentinel_groups()
    : groups_(running_groups(count)),
      networks_(sentinel_ports(groups_)),
      next_master_(clock::now() + pace().first) {}

std::vector<std::uint16_t> sentinel_groups::sentinel_ports(std::deque<test::watched_group>& groups) {
    std::vector<std::uint16_t> all;
    for (test::watched_group& group : groups)
        for (std::size_t s = 0; s < sentinels; ++s)
            all.push_back(group.sentinel(s).port());
    return all;
}

std::vector<std::string> sentinel_groups::addresses(std::size_t site) {
    std::vector<std::string> all;
    for (std::size_t group = 0; group < count; ++group) {
        std::string hosts;
        for (std::size_t s = 0; s < sentinels; ++s)
            hosts +=
                fmt::format("{}127.0.0.1:{}", s > 0 ? "," : "", networks_.way(site, way_to(group, s)).port());
        all.push_back(fmt::format("redis+sentinel://:{}@{}/{}", password, hosts, groups_[group].service()));
    }
    return all;
}

// A replica that is promoted may have missed a release.
client_terms sentinel_groups::terms() const { return {.restart_guard = longest_lease, .keeps_all = false}; }

rhythm sentinel_groups::pace() const {
    using namespace std::chrono_literals;
    return {.first = 2s, .shortest = 100ms, .longest = 700ms, .most_at_once = 4};
}

std::vector<std::string> sentinel_groups::keys_left() {
    constexpr std::string_view fence = ":redlock-fence";
    std::vector<std::string> found;
    const auto look_at = [&](std::size_t group, std::size_t server) {
        for (const auto& key : groups_[group].server(server).command({"KEYS", "*"}).elements)
            if (!key.text.ends_with(fence))
                found.push_back(fmt::format("server {} of group {} has {}", server, group, key.text));
    };
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t s = 0; s < servers; ++s) {
            try {
                look_at(i, s);
            } catch (const std::system_error& e) {
                // Sentinels that make a server what it is to be end all of its connections. It is asked
                // again.
                found.push_back(fmt::format("server {} of group {} does not say: {}", s, i, e.what()));
            }
        }
    return found;
}

std::string sentinel_groups::remark() const {
    return fmt::format("{} of {} servers were masters when something was done to them", masters_.size(),
                       count * servers);
}

void sentinel_groups::let_be_watched(test::redis_server& one, bool seen) {
    one.repeatable({"ACL", "SETUSER", watcher, seen ? "on" : "off"});
    if (!seen) one.repeatable({"CLIENT", "KILL", "USER", watcher});
}

} // namespace redlock::chaos
