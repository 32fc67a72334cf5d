#include "engines/contestant.hpp"
#include "support/node_set.hpp"
#ifdef REDLOCK_BENCH_POSTGRESQL
#include "engines/plain_postgresql.hpp"
#include "support/postgres_server.hpp"
#endif
#ifdef REDLOCK_BENCH_ETCD
#include "engines/etcd_lock_service.hpp"
#include "support/etcd_server.hpp"
#endif
#ifdef REDLOCK_BENCH_ZOOKEEPER
#include "support/zookeeper_server.hpp"
#endif

namespace bench::engines {
namespace {

contestant start_memory() { return {.name = "memory", .nodes = {"memory://engines-bench"}}; }

contestant start_nodes(std::string name, std::size_t count) {
    auto servers = std::make_shared<redlock::test::node_set>(count);
    std::vector<std::string> nodes = servers->uris();
    return {
        .name = std::move(name), .nodes = std::move(nodes), .batches = true, .servers = std::move(servers)};
}

contestant start_redis() { return start_nodes("redis", 1); }
contestant start_redis_quorum() { return start_nodes("redis-5", 5); }

#ifdef REDLOCK_BENCH_POSTGRESQL
// As it comes, but for room for the connections of the usual client and for ten thousand locks of a session:
// commits wait for the disk.
std::shared_ptr<redlock::test::postgres_server> start_database() {
    return std::make_shared<redlock::test::postgres_server>(
        std::vector<std::string>{"fsync=on", "max_connections=120", "max_locks_per_transaction=256"});
}

contestant start_postgresql() {
    auto server = start_database();
    const std::string uri = server->uri();
    const std::string conninfo = server->conninfo();
    server->query(plain_rows_schema);
    return {.name = "postgresql",
            .nodes = {uri},
            .batches = true,
            .servers = std::move(server),
            .usual = {{"a row by INSERT … ON CONFLICT, a commit each",
                       [conninfo](const load& plan) { return run_plain(conninfo, plain_rows, plan); }}}};
}

contestant start_sessions() {
    auto server = start_database();
    const std::string conninfo = server->conninfo();
    const std::string uri = server->uri() + "?redlock=session";
    return {.name = "postgresql-session",
            .nodes = {uri},
            .batches = true,
            .servers = std::move(server),
            .usual = {{"pg_advisory_lock, a thread and a connection each",
                       [conninfo](const load& plan) { return run_plain(conninfo, plain_advisory, plan); }}}};
}
#endif

#ifdef REDLOCK_BENCH_ETCD
// With its data in memory, where the system has room there. Its lock service asks the cluster the same as the
// library does, so neither leaves the other behind with many at once.
contestant start_members(std::string name, std::size_t count) {
    auto cluster =
        std::make_shared<redlock::test::etcd_server>(redlock::test::etcd_options{.members = count});
    const std::string uri = cluster->uri();
    const std::uint16_t port = cluster->port();
    return {.name = std::move(name),
            .nodes = {uri},
            .servers = std::move(cluster),
            .usual = {{"etcd's own lock service, one connection and lease for all",
                       [port](const load& plan) { return run_lock_service(port, plan); }}}};
}

contestant start_etcd() { return start_members("etcd", 1); }
contestant start_etcd_cluster() { return start_members("etcd-3", 3); }
#endif

#ifdef REDLOCK_BENCH_ZOOKEEPER
// Without a wait for the disk; sessions live for up to 40 s, as they do in an ensemble as it comes.
contestant start_zookeepers(std::string name, unsigned count) {
    constexpr unsigned usual_tick = 2000;
    auto ensemble = std::make_shared<redlock::test::zookeeper_server>(
        redlock::test::zookeeper_server::settings{.servers = count, .tick = usual_tick});
    const std::string uri = ensemble->uri();
    return {.name = std::move(name), .nodes = {uri}, .batches = true, .servers = std::move(ensemble)};
}

contestant start_zookeeper() { return start_zookeepers("zookeeper", 1); }
contestant start_ensemble() { return start_zookeepers("zookeeper-3", 3); }
#endif

constexpr entry all[] = {
    {"memory", "memory://, within the process", start_memory},
    {"redis", "one Redis", start_redis},
    {"redis-5", "five independent Redis", start_redis_quorum},
#ifdef REDLOCK_BENCH_POSTGRESQL
    {"postgresql", "rows of PostgreSQL", start_postgresql},
    {"postgresql-session", "advisory locks of PostgreSQL", start_sessions},
#endif
#ifdef REDLOCK_BENCH_ETCD
    {"etcd", "one member of etcd", start_etcd},
    {"etcd-3", "a cluster of three members", start_etcd_cluster},
#endif
#ifdef REDLOCK_BENCH_ZOOKEEPER
    {"zookeeper", "one server of ZooKeeper", start_zookeeper},
    {"zookeeper-3", "an ensemble of three servers", start_ensemble},
#endif
};

} // namespace

std::span<const entry> entries() noexcept { return all; }

} // namespace bench::engines
