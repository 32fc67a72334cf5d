#include "engines/sql/mariadb/session/schema.hpp"

#include <redlock/sql_schema.hpp>

namespace redlock {

namespace mariadb {

// The index `guard` has all that a transaction reads which begins with the guard: so it has nothing locked
// but an entry that changes with the fencing token, and with nothing else.
std::string schema() {
    return R"(CREATE TABLE IF NOT EXISTS redlock (
    `key` varbinary(2048) NOT NULL PRIMARY KEY,
    token varbinary(64),
    fence bigint NOT NULL,
    expires datetime(6) NOT NULL,
    label varchar(255) CHARACTER SET utf8mb4,
    UNIQUE KEY guard (`key`, fence)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC)";
}

} // namespace mariadb

std::string mariadb_schema() { return mariadb::schema() + ";\n"; }

} // namespace redlock
