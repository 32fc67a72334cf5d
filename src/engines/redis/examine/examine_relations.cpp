#include "engines/redis/examine/examine_relations.hpp"

#include <cstddef>
#include <optional>

namespace redlock::redis {

namespace {

bool is_same(const node_examination& a, const node_examination& b) {
    return !a.run_id.empty() && a.run_id == b.run_id;
}

/// A replica has the replication id of its master once it has its data; before that only the address tells,
/// if it is written alike.
bool is_master_of(const node_examination& master, const node_examination& replica) {
    if (!replica.replication_id.empty() && replica.replication_id == master.replication_id) return true;
    return !replica.master.empty() && master.node.starts_with("redis://" + replica.master + "/");
}

} // namespace

void find_relations(std::vector<node_examination>& nodes) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        for (std::size_t other = 0; other < i && !nodes[i].same_server_as; ++other)
            if (is_same(nodes[i], nodes[other])) nodes[i].same_server_as = other;
        if (nodes[i].role != "replica") continue;
        for (std::size_t other = 0; other < nodes.size(); ++other) {
            if (is_same(nodes[i], nodes[other]) || other == i) continue;
            if (!is_master_of(nodes[other], nodes[i])) continue;
            std::optional<std::size_t>& found = nodes[i].replica_of;
            if (!found || (nodes[other].role == "master" && nodes[*found].role != "master")) found = other;
        }
    }
}

} // namespace redlock::redis
