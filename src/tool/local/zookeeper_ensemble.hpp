#pragma once

#include "local/local_engine.hpp"

namespace redlock::tool {

/// An ensemble of one ZooKeeper server without data.
local_engine zookeeper_engine();

} // namespace redlock::tool
