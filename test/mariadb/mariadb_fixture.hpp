#pragma once

#include "../sql/database_fixture.hpp"
#include "support/mariadb_server.hpp"

namespace redlock::test {

using mariadb_fixture = database_fixture<mariadb_server>;

} // namespace redlock::test
