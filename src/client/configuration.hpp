#pragma once

#include "engines/redis/node/address.hpp"
#include "engines/redis/node/redis_node.hpp"
#include "engines/redis/quorum/settings.hpp"
#include "lease/settings.hpp"

#include <redlock/config.hpp>

#include <vector>

namespace redlock::lock {

// The public configuration, checked and cut into what each layer needs. All throw std::system_error with
// `invalid_option`, `invalid_uri` or `duplicate_node` and a text that names the field, or the node by its
// place in the list, and the limit.

settings settings_of(const config& c);
redis::settings quorum_settings_of(const config& c);
std::vector<node::address> addresses_of(const config& c);
/// With what the encryption of these addresses takes, if any of them wants it.
node::node_settings node_settings_of(const config& c, const std::vector<node::address>& addresses);

} // namespace redlock::lock
