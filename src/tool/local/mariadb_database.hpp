#pragma once

#include "local/local_engine.hpp"

namespace redlock::tool {

/// An empty MariaDB database, whose server does not wait for the disk.
local_engine mariadb_engine();

} // namespace redlock::tool
