#pragma once

#include "local/local_engine.hpp"

namespace redlock::tool {

/// An empty etcd cluster of one member or several.
local_engine etcd_engine();

} // namespace redlock::tool
