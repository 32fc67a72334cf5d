#include "support/watched_group.hpp"

#include "support/eventually.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace redlock::test {

namespace {

/// The value behind a name in the flat list that describes a server.
std::string field_of(const redis_answer& description, std::string_view name) {
    const auto& all = description.elements;
    for (std::size_t i = 0; i + 1 < all.size(); i += 2)
        if (all[i].text == name) return all[i + 1].text;
    return {};
}

} // namespace

watched_group::watched_group(group_options options) : options_(std::move(options)) {
    redis_options each{.directives = options_.server_directives, .password = options_.password};
    each.tls = options_.tls;
    if (each.tls) each.directives.push_back("tls-replication yes");
    each.directives.insert(each.directives.end(),
                           {"repl-diskless-sync-delay 0", "repl-ping-replica-period 1"});
    if (!each.password.empty()) each.directives.push_back("masterauth \"" + each.password + "\"");
    servers_.emplace_back(each);
    each.directives.push_back(fmt::format("replicaof 127.0.0.1 {}", servers_.front().port()));
    servers_.emplace_back(std::move(each));
    // What a Sentinel is not told at first it hears ten seconds later.
    if (!eventually([&] { return servers_.back().info("master_link_status") == "up"; }))
        throw std::runtime_error("the replica does not find its master");
    redis_options watching{.directives = options_.sentinel_directives, .password = {}, .sentinel = true};
    watching.tls = options_.tls;
    if (watching.tls) watching.directives.push_back("tls-replication yes");
    const std::size_t quorum = options_.sentinels / 2 + 1;
    const std::string& name = options_.service;
    watching.directives.insert(
        watching.directives.begin(),
        {fmt::format("sentinel monitor {} 127.0.0.1 {} {}", name, servers_.front().port(), quorum),
         fmt::format("sentinel down-after-milliseconds {} {}", name, options_.down_after.count()),
         fmt::format("sentinel failover-timeout {} 3000", name)});
    if (!options_.password.empty())
        watching.directives.push_back(fmt::format("sentinel auth-pass {} {}", name, options_.password));
    for (std::size_t i = 0; i < options_.sentinels; ++i)
        sentinels_.emplace_back(watching, redis_server::without_waiting{});
    killed_.resize(options_.sentinels);
}

void watched_group::await_ready() {
    for (auto& sentinel : sentinels_)
        sentinel.await_ready();
    if (!eventually(
            [&] { return std::ranges::all_of(sentinels_, [&](redis_server& s) { return is_complete(s); }); }))
        throw std::runtime_error("the Sentinels do not find each other and the replica");
}

bool watched_group::is_complete(redis_server& sentinel) {
    const redis_answer told = sentinel.command({"SENTINEL", "MASTER", options_.service});
    return field_of(told, "num-slaves") == "1" &&
           field_of(told, "num-other-sentinels") == std::to_string(sentinels_.size() - 1);
}

std::string watched_group::uri(std::initializer_list<std::size_t> sentinels) const {
    std::string hosts;
    for (std::size_t i = 0; i < sentinels_.size(); ++i)
        if (sentinels.size() == 0 || std::ranges::count(sentinels, i) > 0)
            hosts += fmt::format("{}127.0.0.1:{}", hosts.empty() ? "" : ",", sentinels_[i].port());
    const std::string login = options_.password.empty() ? "" : ":" + options_.password + "@";
    return fmt::format("{}+sentinel://{}{}/{}", options_.tls ? "rediss" : "redis", login, hosts,
                       options_.service);
}

std::string watched_group::master_port(redis_server& sentinel) {
    return field_of(sentinel.command({"SENTINEL", "MASTER", options_.service}), "port");
}

void watched_group::kill_sentinel(std::size_t index) {
    sentinels_.at(index).kill();
    killed_.at(index) = true;
}

void watched_group::begin_fail_over() {
    const redis_answer answer = sentinels_.front().command({"SENTINEL", "FAILOVER", options_.service});
    if (answer != "OK") throw std::runtime_error("no fail-over: " + answer.text);
}

bool watched_group::leads(const redis_server& server) {
    const std::string port = std::to_string(server.port());
    for (std::size_t i = 0; i < sentinels_.size(); ++i)
        if (!killed_[i] && master_port(sentinels_[i]) != port) return false;
    return true;
}

} // namespace redlock::test
