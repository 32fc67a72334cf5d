#include "support/real_cluster.hpp"

#include "support/eventually.hpp"
#include "support/loopback_port.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace redlock::test {

namespace {

constexpr unsigned all_slots = 16'384;

std::vector<std::string> directives_of(const cluster_options& options, std::uint16_t bus) {
    std::vector<std::string> all = options.directives;
    all.insert(all.end(),
               {"cluster-enabled yes", fmt::format("cluster-port {}", bus),
                fmt::format("cluster-node-timeout {}", options.node_timeout.count()),
                "notify-keyspace-events Kgxe", "repl-diskless-sync-delay 0", "repl-ping-replica-period 1"});
    if (options.tls) all.insert(all.end(), {"tls-cluster yes", "tls-replication yes"});
    if (!options.password.empty()) all.push_back("masterauth \"" + options.password + "\"");
    return all;
}

} // namespace

real_cluster::real_cluster(cluster_options options) : options_(std::move(options)) {
    const std::size_t count = options_.masters + options_.replicas;
    std::vector<std::uint16_t> buses;
    for (std::size_t i = 0; i < count; ++i) {
        buses.push_back(free_loopback_port());
        servers_.emplace_back(redis_options{.directives = directives_of(options_, buses.back()),
                                            .password = options_.password,
                                            .tls = options_.tls},
                              redis_server::without_waiting{});
    }
    for (auto& server : servers_)
        server.await_ready();
    for (std::size_t i = 0; i < count; ++i)
        ids_.push_back(servers_[i].command({"CLUSTER", "MYID"}).text);
    for (std::size_t i = 0; i < options_.masters; ++i) {
        deal_out(i);
        require_ok(i, {"CLUSTER", "SET-CONFIG-EPOCH", std::to_string(i + 1)});
    }
    for (std::size_t i = 1; i < count; ++i)
        require_ok(0, {"CLUSTER", "MEET", "127.0.0.1", std::to_string(servers_[i].port()),
                       std::to_string(buses[i])});
    for (std::size_t i = 0; i < options_.replicas; ++i) {
        const std::size_t server = options_.masters + i;
        if (!eventually([&] {
                return !servers_[server].command({"CLUSTER", "REPLICATE", ids_[i]}).is_error();
            }))
            throw std::runtime_error("a server does not become a replica");
    }
    if (!eventually([&] {
            for (std::size_t i = 0; i < servers_.size(); ++i)
                if (!agrees(i)) return false;
            return true;
        }))
        throw std::runtime_error("the servers of a cluster do not find each other");
    for (std::size_t i = 0; i < options_.replicas; ++i)
        if (!eventually([&] { return replica(i).info("master_link_status") == "up"; }))
            throw std::runtime_error("a replica does not find its master");
}

std::size_t real_cluster::owner_at_first(std::size_t slot) const noexcept {
    if (options_.scattered) return slot % options_.masters;
    std::size_t owner = 0;
    while (slot >= all_slots * (owner + 1) / options_.masters)
        ++owner;
    return owner;
}

void real_cluster::deal_out(std::size_t master) {
    std::vector<std::string> command{"CLUSTER", "ADDSLOTS"};
    for (std::size_t slot = 0; slot < all_slots; ++slot)
        if (owner_at_first(slot) == master) command.push_back(std::to_string(slot));
    require_ok(master, command);
}

bool real_cluster::agrees(std::size_t server) {
    const redis_answer state = servers_[server].command({"CLUSTER", "INFO"});
    if (state.text.find("cluster_state:ok") == state.text.npos) return false;
    const redis_answer slots = servers_[server].command({"CLUSTER", "SLOTS"});
    const std::size_t ranges = options_.scattered ? all_slots : options_.masters;
    return slots.elements.size() == ranges &&
           static_cast<std::size_t>(std::ranges::count_if(slots.elements, [](const redis_answer& range) {
               return range.elements.size() > 3;
           })) == options_.replicas;
}

void real_cluster::require_ok(std::size_t server, const std::vector<std::string>& command) {
    const redis_answer answer = servers_[server].command(command);
    if (!(answer == "OK")) throw std::runtime_error(command[1] + ": " + answer.text);
}

std::string real_cluster::uri(std::initializer_list<std::size_t> servers) const {
    std::string hosts;
    for (std::size_t i = 0; i < servers_.size(); ++i)
        if (servers.size() == 0 ? i < options_.masters : std::ranges::count(servers, i) > 0)
            hosts += fmt::format("{}127.0.0.1:{}", hosts.empty() ? "" : ",", servers_[i].port());
    const std::string login = options_.password.empty() ? "" : ":" + options_.password + "@";
    return fmt::format("{}+cluster://{}{}", options_.tls ? "rediss" : "redis", login, hosts);
}

std::uint16_t real_cluster::slot_of(const std::string& key) {
    return static_cast<std::uint16_t>(servers_.front().command({"CLUSTER", "KEYSLOT", key}).integer);
}

std::size_t real_cluster::first_owner(const std::string& key) { return owner_at_first(slot_of(key)); }

void real_cluster::begin_migration(std::uint16_t slot, std::size_t from, std::size_t to) {
    const std::string number = std::to_string(slot);
    require_ok(to, {"CLUSTER", "SETSLOT", number, "IMPORTING", ids_[from]});
    require_ok(from, {"CLUSTER", "SETSLOT", number, "MIGRATING", ids_[to]});
}

void real_cluster::migrate_keys(std::uint16_t slot, std::size_t from, std::size_t to) {
    for (;;) {
        const redis_answer keys =
            servers_[from].command({"CLUSTER", "GETKEYSINSLOT", std::to_string(slot), "100"});
        if (keys.elements.empty()) return;
        std::vector<std::string> command{"MIGRATE", "127.0.0.1", std::to_string(servers_[to].port()),
                                         "",        "0",         "5000"};
        if (!options_.password.empty()) command.insert(command.end(), {"AUTH", options_.password});
        command.push_back("KEYS");
        for (const redis_answer& key : keys.elements)
            command.push_back(key.text);
        require_ok(from, command);
    }
}

void real_cluster::end_migration(std::uint16_t slot, std::size_t from, std::size_t to) {
    migrate_keys(slot, from, to);
    for (const std::size_t server : {to, from})
        require_ok(server, {"CLUSTER", "SETSLOT", std::to_string(slot), "NODE", ids_[to]});
    for (std::size_t i = 0; i < options_.masters; ++i)
        if (i != from && i != to)
            require_ok(i, {"CLUSTER", "SETSLOT", std::to_string(slot), "NODE", ids_[to]});
}

// A server that has not the slot says where it is.
std::size_t real_cluster::holders(const std::string& key) {
    const std::string slot = std::to_string(slot_of(key));
    return static_cast<std::size_t>(std::ranges::count_if(servers_, [&](redis_server& server) {
        const redis_answer keys = server.command({"CLUSTER", "GETKEYSINSLOT", slot, "1000"});
        return std::ranges::any_of(keys.elements, [&](const redis_answer& one) { return one.text == key; });
    }));
}

} // namespace redlock::test
