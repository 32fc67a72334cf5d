#pragma once

#include "local/local_engine.hpp"

namespace redlock::tool {

/// Independent servers that speak the protocol of Redis, without persistence, and with all that a node of
/// locks should have.
local_engine redis_engine();
local_engine valkey_engine();

} // namespace redlock::tool
