#pragma once

#include "local/local_engine.hpp"

namespace redlock::tool {

/// An empty PostgreSQL database, whose server does not wait for the disk.
local_engine postgresql_engine();

} // namespace redlock::tool
