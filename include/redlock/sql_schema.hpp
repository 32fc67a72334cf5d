#pragma once

#include <redlock/detail/language.hpp>

#include <string>

namespace redlock {

/// What stands in a PostgreSQL database for the locks of a client with a `postgresql://` address: statements
/// that make the table and the sequence of fencing tokens where they are not there, and add to a table of an
/// earlier release what it lacks. A client whose user may do that does it by itself; for others somebody else
/// runs them beforehand, and grants SELECT, INSERT, UPDATE and DELETE on the table `redlock` and USAGE on the
/// sequence `redlock_fence`. Throws std::bad_alloc. Thread-safe.
std::string postgresql_schema();

/// Likewise for a client with a `mysql://` address: the statement that makes the table in a MariaDB or MySQL
/// database. The user of such a client needs SELECT, INSERT, UPDATE and DELETE on the table `redlock`.
std::string mariadb_schema();

} // namespace redlock
