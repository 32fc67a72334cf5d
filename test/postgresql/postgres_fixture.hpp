#pragma once

#include "../sql/database_fixture.hpp"
#include "support/postgres_server.hpp"

namespace redlock::test {

using postgres_fixture = database_fixture<postgres_server>;

} // namespace redlock::test
