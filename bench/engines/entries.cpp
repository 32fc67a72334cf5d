#include "engines/contestant.hpp"
#include "support/node_set.hpp"
#ifdef REDLOCK_BENCH_POSTGRESQL
#include "engines/plain_postgresql.hpp"
#include "support/postgres_server.hpp"
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

constexpr entry all[] = {
    {"memory", "memory://, within the process", start_memory},
    {"redis", "one Redis", start_redis},
    {"redis-5", "five independent Redis", start_redis_quorum},
#ifdef REDLOCK_BENCH_POSTGRESQL
    {"postgresql", "rows of PostgreSQL", start_postgresql},
    {"postgresql-session", "advisory locks of PostgreSQL", start_sessions},
#endif
};

} // namespace

std::span<const entry> entries() noexcept { return all; }

} // namespace bench::engines
