#pragma once

#include "client/settings.hpp"
#include "engines/redis/node/address.hpp"
#include "engines/redis/node/redis_node.hpp"

#include <redlock/config.hpp>
#include <redlock/metrics.hpp>

#include <vector>

namespace redlock::lock {

class runtime;

// The public configuration, checked and cut into what each layer needs. All throw std::system_error with
// `invalid_option`, `invalid_uri` or `duplicate_node` and a text that names the field, or the node by its
// place in the list, and the limit.

settings settings_of(const config& c);
std::vector<node::address> addresses_of(const config& c);
node::node_settings node_settings_of(const config& c);

/// Between two turns.
metrics_snapshot snapshot_of(const runtime& r, const std::vector<const node::node*>& nodes);

} // namespace redlock::lock
