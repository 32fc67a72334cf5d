#include "engines/sql/postgresql/session/schema.hpp"

#include <redlock/sql_schema.hpp>

namespace redlock {

namespace postgresql {

std::span<const char* const> schema() noexcept {
    static constexpr const char* all[] = {
        "CREATE SEQUENCE IF NOT EXISTS redlock_fence",
        // Fencing token and key are unique together so that a transaction which has the row FOR KEY SHARE
        // keeps others from changing the token, and nothing else. Half of each page is for renewals.
        R"(CREATE TABLE IF NOT EXISTS redlock (
    key bytea PRIMARY KEY,
    token text,
    fence bigint NOT NULL,
    expires timestamptz NOT NULL,
    UNIQUE (key, fence)
) WITH (fillfactor = 50))",
    };
    return all;
}

} // namespace postgresql

std::string postgresql_schema() {
    std::string text;
    for (const char* each : postgresql::schema())
        text.append(each).append(";\n");
    return text;
}

} // namespace redlock
