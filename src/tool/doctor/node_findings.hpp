#pragma once

#include "doctor/findings.hpp"

namespace redlock::tool {

/// Adds what there is to say of the node at `place`. The findings do not name it, so that what is said of
/// several can be said once.
void look_at_node(const std::vector<node_examination>& nodes, std::size_t place, const config& settings,
                  std::vector<finding>& all);

/// Whether it is no Redis, but a database, an etcd cluster, or a ZooKeeper ensemble. Of these there is one by
/// itself.
inline bool is_database(const node_examination& node) noexcept {
    return node.product == "postgresql" || node.product == "mariadb";
}
inline bool is_etcd(const node_examination& node) noexcept { return node.product == "etcd"; }
inline bool is_zookeeper(const node_examination& node) noexcept { return node.product == "zookeeper"; }

/// All that is to be said of an etcd cluster that can be used.
void look_at_etcd(const node_examination& node, std::vector<finding>& all);

/// The part of it that is about rights, versions and waiting.
void look_at_abilities(const node_examination& node, const config& settings, std::vector<finding>& all);

} // namespace redlock::tool
