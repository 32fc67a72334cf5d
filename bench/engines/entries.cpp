#include "engines/contestant.hpp"
#include "engines/peer_program.hpp"
#include "support/node_set.hpp"

#include <fmt/format.h>

#include <cstdio>
#ifdef REDLOCK_BENCH_POSTGRESQL
#include "engines/plain_postgresql.hpp"
#include "support/postgres_server.hpp"
#endif
#ifdef REDLOCK_BENCH_MARIADB
#include "engines/plain_mariadb.hpp"
#include "support/mariadb_server.hpp"
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

/// Adds a client that need not be here.
[[maybe_unused]] void add_usual(contestant& to, bool is_here, const std::string& missing, usual_client c) {
    if (is_here)
        to.usual.push_back(std::move(c));
    else
        fmt::print(stderr, "engines_bench: {} goes without {}: {} has it\n", to.name, c.name, missing);
}

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

// Over the same address as the library, which a socket of the file system would be quicker than.
std::string conninfo_of(const redlock::test::postgres_server& server) {
    return fmt::format("host=127.0.0.1 port={} user=redlock dbname=postgres", server.port());
}

contestant start_postgresql() {
    auto server = start_database();
    const std::string uri = server->uri();
    const std::string conninfo = conninfo_of(*server);
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
    const std::string conninfo = conninfo_of(*server);
    const std::string uri = server->uri() + "?redlock=session";
    contestant c{.name = "postgresql-session",
                 .nodes = {uri},
                 .batches = true,
                 .servers = std::move(server),
                 .usual = {{"pg_advisory_lock, a thread and a connection each", [conninfo](const load& plan) {
                                return run_plain(conninfo, plain_advisory, plan);
                            }}}};
    add_usual(c, has_pgbench(), "postgresql",
              {"pg_advisory_lock through pgbench, a connection each",
               [conninfo](const load& plan) { return run_pgbench(conninfo, pgbench_advisory, plan); }});
    add_usual(c, has_python("psycopg2"), "python3-psycopg2",
              {"pg_advisory_lock through psycopg, a thread and a connection each",
               [conninfo](const load& plan) { return run_python("psycopg2", conninfo, plan); }});
    return c;
}
#endif

#ifdef REDLOCK_BENCH_MARIADB
// As it comes, but for room for the connections of the usual client: commits wait for the disk.
contestant start_mariadb() {
    auto server = std::make_shared<redlock::test::mariadb_server>(
        std::vector<std::string>{"--innodb-flush-method=fsync", "--max-connections=120"});
    const std::string uri = server->uri();
    const std::uint16_t port = server->port();
    server->query(plain_mariadb_schema);
    const auto by = [port](const plain_texts& texts) {
        return [port, &texts](const load& plan) { return run_plain_mariadb(port, texts, plan); };
    };
    return {.name = "mariadb",
            .nodes = {uri},
            .batches = true,
            .servers = std::move(server),
            .usual = {{"a row by INSERT … ON DUPLICATE KEY UPDATE, a commit each", by(plain_mariadb_rows)},
                      {"GET_LOCK, a thread and a connection each", by(plain_get_lock)}}};
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
    std::string hosts;
    for (unsigned i = 0; i < count; ++i)
        hosts += fmt::format("{}127.0.0.1:{}", i == 0 ? "" : ",", ensemble->port(i));
    contestant c{.name = std::move(name), .nodes = {uri}, .batches = true, .servers = std::move(ensemble)};
    add_usual(c, has_python("kazoo"), "python3-kazoo",
              {"the lock of kazoo, a thread each",
               [hosts](const load& plan) { return run_python("kazoo", hosts, plan); }});
    return c;
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
#ifdef REDLOCK_BENCH_MARIADB
    {"mariadb", "rows of MariaDB", start_mariadb},
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
