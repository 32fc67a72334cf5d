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

// The server makes ready all parts of a statement, whichever are of use: for a row that is there and free the
// others would take it as long as this one.
constexpr const char* retake_template = R"(
UPDATE redlock SET token = $2::text, fence = $4::bigint + nextval('redlock_fence'),
    expires = clock_timestamp() + $3::bigint * interval '1 millisecond'{0}
WHERE key = (
    SELECT key FROM redlock WHERE key = $1::bytea AND (token IS NULL OR expires <= clock_timestamp())
    FOR UPDATE SKIP LOCKED
) AND (token IS NULL OR expires <= clock_timestamp())
RETURNING fence)";

// What it says of those who wait is true for the same reason as with many. Its commit does not wait for the
// disk, as theirs does not.
constexpr const char* release_text = R"(
UPDATE redlock SET token = NULL, expires = least(expires, clock_timestamp())
WHERE key = $1::bytea AND token = $2::text
RETURNING (expires >= statement_timestamp())::int
    + CASE WHEN pg_try_advisory_xact_lock($4::bigint::int, $3::bigint::int) THEN 0 ELSE 2 END,
    set_config('synchronous_commit', 'off', true))";

std::string with_label(const char* text, bool with_labels) {
    const std::string mark =
        fmt::format("right($2::text, {}) || ':' || nullif($5::text, '')", sql::label_mark);
    if (!with_labels) return fmt::format(fmt::runtime(text), "", "", "");
    return fmt::format(fmt::runtime(text), ", label = " + mark, ", label", ", " + mark);
}

} // namespace

sql::statements preparations(bool with_labels) {
    return {{.name = acquire_name, .text = with_label(acquire_template, with_labels)},
            {.name = retake_name, .text = with_label(retake_template, with_labels)},
            {.name = release_name, .text = release_text}};
}

bool fits(const request& alone) noexcept {
    const bool has_statement = alone.what == request::kind::acquire || alone.what == request::kind::release;
    return has_statement && alone.of->full_key.view().size() <= sql::key_pages::longest_key;
}

const request* only_one(const sql::batch& all) noexcept {
    const request* const alone = all.alone();
    if (!alone || !fits(*alone)) return nullptr;
    // The statement for a release does not wait for the disk.
    return alone->what == request::kind::release && !all.is_unwaited() ? nullptr : alone;
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
    return {.name = alone.row_was_left ? retake_name : acquire_name, .given = std::move(given)};
}

sql::statement statement_for_missed(const request& alone, std::uint32_t table, std::int64_t fence_base,
                                    const std::optional<std::string>& label) {
    sql::statement all = statement_for(alone, table, fence_base, label);
    all.name = acquire_name;
    return all;
}

bool read(const request& alone, std::vector<sql::answer>& told) {
    if (told.empty() || told.front().failed()) return true;
    std::vector<sql::answer::row>& rows = told.front().rows;
    if (alone.what == request::kind::release) {
        for (sql::answer::row& row : rows)
            row = row_of_release(sql::cell_of(row, 0));
        return true;
    }
    if (!alone.row_was_left) return true;
    if (rows.empty()) return false;
    rows.front() = {"1", std::string(alone.of->token()), sql::cell_of(rows.front(), 0), std::nullopt};
    return true;
}

sql::answer::row row_of_release(const sql::answer::cell& said) {
    const auto sum = sql::number_in(said);
    if (!sum || *sum < 0 || *sum > was_own + somebody_waits) return {};
    return {"1", *sum & was_own ? "1" : "0", *sum & somebody_waits ? "1" : "0"};
}

} // namespace redlock::postgresql::one_row
