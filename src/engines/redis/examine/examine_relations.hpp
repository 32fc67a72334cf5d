#pragma once

#include <redlock/node_examination.hpp>

#include <vector>

namespace redlock::redis {

/// Finds which of the nodes are one server, and which are replicas of which, from what each says of itself.
void find_relations(std::vector<node_examination>& nodes);

} // namespace redlock::redis
