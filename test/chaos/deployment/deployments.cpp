#include "chaos/deployment/deployments.hpp"

#include "chaos/deployment/redis_nodes.hpp"
#include "chaos/deployment/sentinel_groups.hpp"
#ifdef REDLOCK_CHAOS_MARIADB
#include "chaos/deployment/mariadb_servers.hpp"
#endif
#ifdef REDLOCK_CHAOS_POSTGRESQL
#include "chaos/deployment/postgres_servers.hpp"
#endif
#ifdef REDLOCK_CHAOS_ETCD
#include "chaos/deployment/etcd_members.hpp"
#endif
#ifdef REDLOCK_CHAOS_ZOOKEEPER
#include "chaos/deployment/zookeeper_servers.hpp"
#endif

#include <stdexcept>

namespace redlock::chaos {
namespace {

using started = std::unique_ptr<deployment>;

struct known_deployment {
    std::string_view name;
    started (*start)(const deployment_options& o);
};

constexpr known_deployment known[]{
    {"redis",
     [](const deployment_options& o) -> started { return std::make_unique<redis_nodes>(o.lose_data); }},
    {"redis-groups",
     [](const deployment_options&) -> started { return std::make_unique<sentinel_groups>(); }},
#ifdef REDLOCK_CHAOS_MARIADB
    {"mariadb", [](const deployment_options&) -> started { return std::make_unique<mariadb_servers>(); }},
#endif
#ifdef REDLOCK_CHAOS_POSTGRESQL
    {"postgresql",
     [](const deployment_options&) -> started { return std::make_unique<postgres_servers>(false); }},
    {"postgresql-failover",
     [](const deployment_options&) -> started { return std::make_unique<postgres_servers>(true); }},
#endif
#ifdef REDLOCK_CHAOS_ETCD
    {"etcd", [](const deployment_options&) -> started { return std::make_unique<etcd_members>(); }},
#endif
#ifdef REDLOCK_CHAOS_ZOOKEEPER
    {"zookeeper", [](const deployment_options&) -> started { return std::make_unique<zookeeper_servers>(); }},
#endif
};

} // namespace

std::unique_ptr<deployment> start_deployment(std::string_view name, const deployment_options& o) {
    for (const known_deployment& each : known)
        if (each.name == name) return each.start(o);
    throw std::invalid_argument("no engine \"" + std::string(name) + "\"; there are: " + deployment_names());
}

std::string deployment_names() {
    std::string all;
    for (const known_deployment& each : known)
        all.append(all.empty() ? "" : " ").append(each.name);
    return all;
}

} // namespace redlock::chaos
