#include "engines/sql/postgresql/session/schema.hpp"

#include <redlock/sql_schema.hpp>

namespace redlock {

namespace postgresql {

namespace {

// A table that an earlier release has made lacks it.
constexpr const char* label_column = "ALTER TABLE redlock ADD COLUMN IF NOT EXISTS label text";

} // namespace

const char* addition_of_labels() noexcept { return label_column; }

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
    label text,
    UNIQUE (key, fence)
) WITH (fillfactor = 50))",
        label_column,
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
