#include "engines/sql/postgresql/session/statements.hpp"

#include "engines/sql/holder_label.hpp"
#include "engines/sql/postgresql/session/one_row.hpp"
#include "engines/sql/postgresql/session/parameters.hpp"

#include <fmt/format.h>

#include <chrono>
#include <string>
#include <utility>

namespace redlock::postgresql {

namespace {

// In the same order in all clients: each takes the locks of its rows in one transaction. Give back and renew
// what is one's own, which may wait for somebody who is taking over what has run out; then take what is free
// and waits for nobody; then make what is missing, in the order of the keys. So nobody waits in a circle.

// An index takes no long keys: the row of one has its hash instead.

// Keys of rows that somebody holds this very moment are left out: their holder may be in a transaction that
// has begun with the guard of the row, and ends when it likes.
// The braces stand for the label, where the table has room for one.
constexpr const char* acquire_template = R"(
WITH wanted AS (
    SELECT CASE WHEN octet_length(k) <= 2048 THEN k ELSE sha256(k) END AS key, token, life, n
    FROM unnest($1::bytea[], $2::text[], $3::bigint[]) WITH ORDINALITY AS w (k, token, life, n)
), free AS (
    SELECT r.key, w.token, w.life, w.n FROM redlock r JOIN wanted w ON r.key = ANY (ARRAY[w.key])
    WHERE r.token IS NULL OR r.expires <= clock_timestamp()
    FOR UPDATE OF r SKIP LOCKED
), taken AS (
    UPDATE redlock r SET token = f.token, fence = $4::bigint + nextval('redlock_fence'),
        expires = clock_timestamp() + f.life * interval '1 millisecond'{0}
    FROM free f WHERE r.key = ANY (ARRAY[f.key]) AND (r.token IS NULL OR r.expires <= clock_timestamp())
    RETURNING f.n, r.token, r.fence
), made AS (
    INSERT INTO redlock (key, token, fence, expires{1})
    SELECT w.key, w.token, $4::bigint + nextval('redlock_fence'),
        clock_timestamp() + w.life * interval '1 millisecond'{2}
    FROM wanted w WHERE NOT EXISTS (SELECT FROM redlock r WHERE r.key = ANY (ARRAY[w.key])) ORDER BY w.key
    ON CONFLICT DO NOTHING RETURNING token, fence
)
SELECT n, token, fence, NULL::bigint FROM taken UNION ALL SELECT NULL, token, fence, NULL FROM made
UNION ALL SELECT w.n, NULL, NULL, ceil(extract(epoch FROM r.expires - clock_timestamp()) * 1000)::bigint
FROM wanted w JOIN redlock r ON r.key = ANY (ARRAY[w.key]) WHERE r.token IS NOT NULL AND r.expires > clock_timestamp())";

constexpr const char* renew_text = R"(
UPDATE redlock r SET expires = clock_timestamp() + w.life * interval '1 millisecond'
FROM unnest($1::bytea[], $2::text[], $3::bigint[]) WITH ORDINALITY AS w (k, token, life, n)
WHERE r.key = ANY (ARRAY[CASE WHEN octet_length(k) <= 2048 THEN k ELSE sha256(k) END])
    AND r.token = w.token AND r.expires > clock_timestamp()
RETURNING w.n)";

// It says whether the key was still its own, and whether somebody waits. Who waits has the lock of the group
// shared, and whoever comes to wait from now on gets it behind the commit, when he finds the key free.
constexpr const char* release_text = R"(
UPDATE redlock r SET token = NULL, expires = least(r.expires, clock_timestamp())
FROM unnest($1::bytea[], $2::text[], $3::bigint[]) WITH ORDINALITY AS w (k, token, b, n)
WHERE r.key = ANY (ARRAY[CASE WHEN octet_length(k) <= 2048 THEN k ELSE sha256(k) END]) AND r.token = w.token
RETURNING w.n, (r.expires >= statement_timestamp())::int, (NOT pg_try_advisory_xact_lock($4::bigint::int, w.b::int))::int)";

// Of what only gives back the commit need not wait for the disk: whoever takes the key next waits for it, and
// with that for all that was written before. Where the server crashes first, the client gives it back once
// more.
constexpr const char* unwaited_text = "SELECT set_config('synchronous_commit', 'off', true)";

constexpr const char* advance_text = R"(
WITH own AS (
    SELECT r.key, w.n FROM redlock r
    JOIN unnest($1::bytea[], $2::text[]) WITH ORDINALITY AS w (k, token, n)
        ON r.key = ANY (ARRAY[CASE WHEN octet_length(k) <= 2048 THEN k ELSE sha256(k) END])
    WHERE r.token = w.token AND r.expires > clock_timestamp() FOR UPDATE OF r SKIP LOCKED
)
UPDATE redlock r SET fence = $3::bigint + nextval('redlock_fence') FROM own WHERE r.key = ANY (ARRAY[own.key])
RETURNING own.n, r.fence)";

// Behind the commit of the release; nobody pays for a notification that nobody wants. It is sent by its own
// commit, which would wait for the disk for nothing.
constexpr const char* wake_text = R"(
SELECT pg_notify('redlock', ($2::bigint)::text || ':' || b::text), set_config('synchronous_commit', 'off', true)
FROM unnest($1::bigint[]) AS b
WHERE NOT pg_try_advisory_xact_lock($2::bigint::int, b::int))";

constexpr const char* purge_text = R"(
WITH spent AS (
    SELECT key FROM redlock WHERE key <> '' AND expires < clock_timestamp() - interval '1 minute'
    AND pg_try_advisory_xact_lock($1::bigint::int, 1000000) LIMIT $2::bigint FOR UPDATE SKIP LOCKED
), gone AS (
    DELETE FROM redlock r USING spent WHERE r.key = spent.key RETURNING 1
)
SELECT count(*) FROM gone)";

// A table of a few rows is read as a whole where the planner may, and then plans are kept that are slow once
// it has many. `= ANY (ARRAY[…])` in place of a plain comparison keeps it from reading a whole index.
constexpr const char* session_text = R"(
SELECT set_config('plan_cache_mode', 'force_generic_plan', false), set_config('enable_seqscan', 'off', false),
    set_config('enable_hashjoin', 'off', false), set_config('enable_mergejoin', 'off', false),
    set_config('enable_indexonlyscan', 'off', false), set_config('enable_bitmapscan', 'off', false),
    set_config('jit', 'off', false), set_config('default_transaction_isolation', 'read committed', false),
    set_config('lock_timeout', $1, false))";

// The braces stand for what is made on first use: the table, or the sequence alone.
constexpr const char* facts_template = R"(
SELECT current_setting('server_version_num')::bigint, current_setting('server_version'),
    pg_is_in_recovery()::int, CASE WHEN NOT pg_is_in_recovery()
        THEN ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint END,
    pg_backend_pid(), (SELECT floor(extract(epoch FROM backend_start) * 1000000)::bigint
        FROM pg_stat_activity WHERE pid = pg_backend_pid()),
    floor(extract(epoch FROM clock_timestamp() - pg_postmaster_start_time()) * 1000)::bigint,
    (current_setting('synchronous_commit') <> 'off' AND current_setting('fsync') = 'on')::int,
    to_regclass('{0}')::oid::bigint,
    (SELECT CASE WHEN a.attname IS NULL THEN pg_has_role(c.relowner, 'USAGE')::int
        WHEN a.atttypid = 'text'::regtype AND has_column_privilege(c.oid, a.attnum, 'INSERT')
            AND has_column_privilege(c.oid, a.attnum, 'UPDATE') THEN 2 ELSE 0 END
        FROM pg_class c LEFT JOIN pg_attribute a
            ON a.attrelid = c.oid AND a.attname = 'label' AND NOT a.attisdropped
        WHERE c.oid = to_regclass('{0}')),
    (current_setting('server_encoding') IN ('UTF8', 'SQL_ASCII'))::int)";

// Whoever waits for the whole table keeps all others waiting: not for long.
constexpr const char* briefly_text = "SELECT set_config('lock_timeout', '50', true)";

// The row of the empty key, which no lock has, is that of the timeline.
// Two clients may come at once: a conflict of either index is none.
constexpr const char* note_text = R"(
INSERT INTO redlock (key, token, fence, expires) SELECT '', NULL, $1::bigint, clock_timestamp()
WHERE NOT EXISTS (SELECT FROM redlock WHERE key = '') ON CONFLICT DO NOTHING)";
constexpr const char* change_text = R"(
UPDATE redlock SET token = 'another before', fence = $1::bigint, expires = clock_timestamp()
WHERE key = '' AND fence <> $1::bigint)";
constexpr const char* noted_text = R"(
SELECT (token IS NULL)::int, floor(extract(epoch FROM clock_timestamp() - expires) * 1000)::bigint
FROM redlock WHERE key = '')";

constexpr const char* end_text = R"(
SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
WHERE pid = $1::bigint AND floor(extract(epoch FROM backend_start) * 1000000)::bigint = $2::bigint)";

// The last as JSON, for the table may have no such column.
constexpr const char* look_text = R"(
SELECT token, ceil(extract(epoch FROM expires - clock_timestamp()) * 1000)::bigint, fence,
    (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock' AND granted AND objsubid = 2
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND classid = to_regclass('redlock')::oid AND objid = $2::bigint::oid),
    to_jsonb(redlock) ->> 'label'
FROM (SELECT CASE WHEN octet_length($1::bytea) <= 2048 THEN $1::bytea ELSE sha256($1::bytea) END AS key) AS asked
    LEFT JOIN redlock USING (key))";

constexpr const char* current_text = R"(
SELECT 1 FROM redlock
WHERE key = CASE WHEN octet_length($1::bytea) <= 2048 THEN $1::bytea ELSE sha256($1::bytea) END
    AND fence = $2::bigint AND token IS NOT NULL AND expires > clock_timestamp())";

constexpr const char* take_away_text = R"(
UPDATE redlock SET token = NULL, expires = least(expires, clock_timestamp())
WHERE key = CASE WHEN octet_length($1::bytea) <= 2048 THEN $1::bytea ELSE sha256($1::bytea) END
    AND token = $2::text AND expires > clock_timestamp()
RETURNING 1)";

// Rows that nobody holds are told of too, for a table may have many: what is read for one page is bounded.
constexpr const char* list_text = R"(
WITH page AS (
    SELECT key, token, expires FROM redlock WHERE key >= $1::bytea AND key < $2::bytea ORDER BY key LIMIT $3::bigint
)
SELECT encode(key, 'hex'), (token IS NOT NULL AND expires > clock_timestamp())::int FROM page ORDER BY key)";

constexpr const char* state_text = R"(
SELECT floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint,
    floor(extract(epoch FROM clock_timestamp() - pg_postmaster_start_time()))::bigint,
    current_setting('synchronous_commit'), current_setting('fsync'),
    has_table_privilege('redlock', 'SELECT')::int, has_table_privilege('redlock', 'INSERT')::int,
    has_table_privilege('redlock', 'UPDATE')::int, has_table_privilege('redlock', 'DELETE')::int,
    has_sequence_privilege('redlock_fence', 'USAGE')::int)";

constexpr const char* session_state_text = R"(
SELECT floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint,
    floor(extract(epoch FROM clock_timestamp() - pg_postmaster_start_time()))::bigint,
    current_setting('synchronous_commit'), current_setting('fsync'), NULL, NULL, NULL, NULL,
    has_sequence_privilege('redlock_fence', 'USAGE')::int)";

constexpr const char* hear_text = "LISTEN redlock";
constexpr const char* wait_text = "SELECT pg_advisory_lock_shared($1::bigint::int, $2::bigint::int)";
constexpr const char* no_wait_text = "SELECT pg_advisory_unlock_shared($1::bigint::int, $2::bigint::int)";

const char* facts_text(bool locks_are_sessions) {
    static const std::string of_table = fmt::format(facts_template, "redlock");
    static const std::string of_sequence = fmt::format(facts_template, "redlock_fence");
    return locks_are_sessions ? of_sequence.c_str() : of_table.c_str();
}

/// What an acquire is prepared with, made when it is first asked for.
const char* acquire_text(bool with_labels) {
    static const std::string without = fmt::format(acquire_template, "", "", "");
    static const std::string with = fmt::format(
        acquire_template,
        fmt::format(", label = right(f.token, {}) || ':' || nullif($5::text, '')", sql::label_mark),
        ", label", fmt::format(", right(w.token, {}) || ':' || nullif($5::text, '')", sql::label_mark));
    return with_labels ? with.c_str() : without.c_str();
}

std::int64_t as_number(std::size_t small) noexcept { return static_cast<std::int64_t>(small); }

} // namespace

sql::statements greeting(core::nanoseconds patience, bool locks_are_sessions) {
    // It ends before the connection is given up.
    const auto limit = std::chrono::ceil<std::chrono::milliseconds>(patience / 2);
    return {{.text = session_text, .given = parameters().text(std::to_string(limit.count()))},
            {.text = facts_text(locks_are_sessions)}};
}

sql::statements creation(bool locks_are_sessions) {
    sql::statements all{{.text = "SELECT pg_advisory_xact_lock(hashtext('redlock'))"}};
    for (const char* each : locks_are_sessions ? schema().first(1) : schema())
        all.push_back({.text = each});
    return all;
}

sql::statements addition() { return {{.text = briefly_text}, {.text = addition_of_labels()}}; }

sql::statement wake_preparation() { return {.name = wake_name, .text = wake_text}; }

sql::statements preparations(bool with_labels) {
    sql::statements all = one_row::preparations(with_labels);
    const std::pair<const char*, const char*> others[] = {{acquire_name, acquire_text(with_labels)},
                                                          {renew_name, renew_text},
                                                          {release_name, release_text},
                                                          {advance_name, advance_text},
                                                          {wake_name, wake_text},
                                                          {purge_name, purge_text},
                                                          {unwaited_name, unwaited_text}};
    for (const auto& [name, text] : others)
        all.push_back({.name = name, .text = text});
    return all;
}

sql::statements timeline_note(std::int64_t timeline) {
    return {{.text = note_text, .given = parameters().number(timeline)},
            {.text = change_text, .given = parameters().number(timeline)},
            {.text = noted_text}};
}

sql::statement end_of(std::int64_t process, std::int64_t began) {
    return {.text = end_text, .given = parameters().number(process).number(began)};
}

sql::statement hear() { return {.text = hear_text}; }

sql::statement begin_to_wait(std::uint32_t table, std::size_t bucket) {
    return {.text = wait_text, .given = parameters().number(lock_class(table)).number(as_number(bucket))};
}

sql::statement end_to_wait(std::uint32_t table, std::size_t bucket) {
    return {.text = no_wait_text, .given = parameters().number(lock_class(table)).number(as_number(bucket))};
}

sql::statement look(std::string_view key, std::size_t bucket) {
    return {.text = look_text, .given = parameters().bytes(key).number(as_number(bucket))};
}

sql::statement state(bool locks_are_sessions) {
    return {.text = locks_are_sessions ? session_state_text : state_text};
}

sql::statement is_current(std::string_view key, std::int64_t fencing_token) {
    return {.text = current_text, .given = parameters().bytes(key).number(fencing_token)};
}

sql::statement take_away(std::string_view key, std::string_view token) {
    return {.text = take_away_text, .given = parameters().bytes(key).text(token)};
}

sql::statement list(std::string_view from, std::string_view end, std::size_t most) {
    return {.text = list_text, .given = parameters().bytes(from).bytes(end).number(as_number(most))};
}

} // namespace redlock::postgresql
