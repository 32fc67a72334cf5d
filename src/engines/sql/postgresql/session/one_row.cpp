#include "engines/sql/postgresql/session/one_row.hpp"

#include "engines/sql/holder_label.hpp"
#include "engines/sql/key_pages.hpp"
#include "engines/sql/postgresql/session/parameters.hpp"
#include "engines/sql/postgresql/session/statements.hpp"
#include "engines/sql/wake_bucket.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace redlock::postgresql::one_row {

namespace {

using sql::request;

// As for many: a row that somebody has in his hands this very moment is left alone. What was free when it was
// locked is looked at once more by the UPDATE, whose view of it is that of the beginning.
// The braces stand for the label, where the table has room for one.
constexpr const char* acquire_template = R"(
WITH taken AS (
    UPDATE redlock SET token = $2::text, fence = $4::bigint + nextval('redlock_fence'),
        expires = clock_timestamp() + $3::bigint * interval '1 millisecond'{0}
    WHERE key = (
        SELECT key FROM redlock WHERE key = $1::bytea AND (token IS NULL OR expires <= clock_timestamp())
        FOR UPDATE SKIP LOCKED
    ) AND (token IS NULL OR expires <= clock_timestamp())
    RETURNING fence
), made AS (
    INSERT INTO redlock (key, token, fence, expires{1})
    SELECT $1::bytea, $2::text, $4::bigint + nextval('redlock_fence'),
        clock_timestamp() + $3::bigint * interval '1 millisecond'{2}
    WHERE NOT EXISTS (SELECT FROM redlock WHERE key = $1::bytea)
    ON CONFLICT DO NOTHING RETURNING fence
)
SELECT 1::bigint, $2::text, fence, NULL::bigint FROM taken UNION ALL SELECT 1, $2::text, fence, NULL FROM made
UNION ALL SELECT 1, NULL, NULL, ceil(extract(epoch FROM expires - clock_timestamp()) * 1000)::bigint
FROM redlock WHERE key = $1::bytea AND token IS NOT NULL AND expires > clock_timestamp())";

// What it says of those who wait is true for the same reason as with many.
constexpr const char* release_text = R"(
UPDATE redlock SET token = NULL, expires = least(expires, clock_timestamp())
WHERE key = $1::bytea AND token = $2::text
RETURNING 1::bigint, (expires >= statement_timestamp())::int,
    (NOT pg_try_advisory_xact_lock($4::bigint::int, $3::bigint::int))::int)";

/// Made when it is first asked for.
const char* acquire_text(bool with_labels) {
    static const std::string without = fmt::format(acquire_template, "", "", "");
    static const std::string mark =
        fmt::format("right($2::text, {}) || ':' || nullif($5::text, '')", sql::label_mark);
    static const std::string with =
        fmt::format(acquire_template, ", label = " + mark, ", label", ", " + mark);
    return with_labels ? with.c_str() : without.c_str();
}

} // namespace

sql::statements preparations(bool with_labels) {
    return {{.name = acquire_name, .text = acquire_text(with_labels)},
            {.name = release_name, .text = release_text}};
}

bool fits(const request& alone) noexcept {
    const bool has_statement = alone.what == request::kind::acquire || alone.what == request::kind::release;
    return has_statement && alone.of->full_key.view().size() <= sql::key_pages::longest_key;
}

sql::statement statement_for(const request& alone, std::uint32_t table, std::int64_t fence_base,
                             const std::optional<std::string>& label) {
    const std::string_view key = alone.of->full_key;
    parameters given;
    given.bytes(key).text(alone.of->token());
    if (alone.what == request::kind::release) {
        given.number(static_cast<std::int64_t>(sql::wake_bucket(key))).number(lock_class(table));
        return {.name = release_name, .given = std::move(given)};
    }
    given.number(std::min(alone.life, sql::longest_row_life).count()).number(fence_base);
    if (label) given.text(*label);
    return {.name = acquire_name, .given = std::move(given)};
}

} // namespace redlock::postgresql::one_row
