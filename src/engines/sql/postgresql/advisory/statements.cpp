#include "engines/sql/postgresql/advisory/statements.hpp"

#include "core/sha256.hpp"
#include "engines/sql/postgresql/session/one_row.hpp"
#include "engines/sql/postgresql/session/parameters.hpp"
#include "engines/sql/postgresql/session/statements.hpp"
#include "engines/sql/wake_bucket.hpp"

namespace redlock::postgresql::advisory {

namespace {

// Nobody is told when a session ends without giving back what it has: who waits looks again after so many
// milliseconds.
constexpr const char* look_again = "250";

constexpr const char* acquire_text = R"(
WITH asked AS MATERIALIZED (
    SELECT n, token, pg_try_advisory_lock(k) AS got
    FROM unnest($1::bigint[], $2::text[], $3::bigint[]) WITH ORDINALITY AS w (k, token, life, n)
)
SELECT n, CASE WHEN got THEN token END, CASE WHEN got THEN $4::bigint + nextval('redlock_fence') END,
    CASE WHEN NOT got THEN 250::bigint END FROM asked)";

// That the session answers is all there is to know: what it has locked it keeps for as long as it lives.
constexpr const char* renew_text = R"(
SELECT n FROM unnest($1::bigint[], $2::text[], $3::bigint[]) WITH ORDINALITY AS w (k, token, life, n))";

// Whoever comes to wait behind the look at his group finds the key free.
constexpr const char* release_text = R"(
WITH freed AS MATERIALIZED (
    SELECT n, b, pg_advisory_unlock(k)::int AS was_own
    FROM unnest($1::bigint[], $2::text[], $3::bigint[]) WITH ORDINALITY AS w (k, token, b, n)
)
SELECT n, was_own, (NOT pg_try_advisory_xact_lock($4::bigint::int, b::int))::int FROM freed)";

constexpr const char* advance_text = R"(
SELECT n, $3::bigint + nextval('redlock_fence')
FROM unnest($1::bigint[], $2::text[]) WITH ORDINALITY AS w (k, token, n))";

// Where a transaction is for one key alone, what makes rows of many is half of what it costs, and each column
// of the answer is some of the rest.
constexpr const char* acquire_one_name = "redlock_acquire_one";
constexpr const char* acquire_one_text = R"(
SELECT CASE WHEN pg_try_advisory_lock($1::bigint)
    THEN $2::bigint + nextval('redlock_fence') END)";

constexpr const char* release_one_name = "redlock_release_one";
constexpr const char* release_one_text = R"(
SELECT CASE WHEN pg_advisory_unlock($1::bigint)
    THEN CASE WHEN pg_try_advisory_xact_lock($3::bigint::int, $2::bigint::int) THEN 1 ELSE 3 END ELSE 0 END)";

constexpr const char* look_text = R"(
SELECT l.pid, floor(extract(epoch FROM a.backend_start) * 1000000)::bigint, a.application_name,
    host(a.client_addr),
    (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock' AND granted AND objsubid = 2
        AND database = d.oid AND classid = to_regclass('redlock_fence')::oid AND objid = $2::bigint::oid)
FROM (SELECT ('x' || left(encode(sha256($1::bytea), 'hex'), 16))::bit(64)::bigint AS number) AS k
    JOIN pg_database d ON d.datname = current_database()
    LEFT JOIN pg_locks l ON l.locktype = 'advisory' AND l.mode = 'ExclusiveLock' AND l.granted AND l.objsubid = 1
        AND l.database = d.oid AND l.classid = ((k.number >> 32) & 4294967295)::oid
        AND l.objid = (k.number & 4294967295)::oid
    LEFT JOIN pg_stat_activity a ON a.pid = l.pid)";

} // namespace

std::int64_t number_of(std::string_view key) noexcept {
    const auto digest = core::sha256(key);
    return static_cast<std::int64_t>(std::uint64_t{digest[0]} << 32 | digest[1]);
}

sql::statements preparations() {
    return {{.name = acquire_name, .text = acquire_text},
            {.name = renew_name, .text = renew_text},
            {.name = release_name, .text = release_text},
            {.name = advance_name, .text = advance_text},
            {.name = acquire_one_name, .text = acquire_one_text},
            {.name = release_one_name, .text = release_one_text},
            wake_preparation()};
}

sql::statements transaction(const sql::batch& asked, std::uint32_t table, std::int64_t fence_base) {
    using kind = sql::request::kind;
    const sql::request* const alone = asked.alone();
    if (alone && alone->what == kind::acquire)
        return {{.name = acquire_one_name,
                 .given = parameters().number(number_of(alone->of->full_key)).number(fence_base)}};
    if (alone && alone->what == kind::release) {
        const std::string_view key = alone->of->full_key;
        return {{.name = release_one_name,
                 .given = parameters()
                              .number(number_of(key))
                              .number(static_cast<std::int64_t>(sql::wake_bucket(key)))
                              .number(lock_class(table))}};
    }
    return transaction_for_many(asked, table, fence_base, {}, number_of);
}

void read(const sql::batch& asked, std::vector<sql::answer>& told) {
    const sql::request* const alone = asked.alone();
    if (!alone || told.empty() || told.front().failed()) return;
    for (sql::answer::row& row : told.front().rows) {
        const sql::answer::cell said = sql::cell_of(row, 0);
        if (alone->what == sql::request::kind::release)
            row = one_row::row_of_release(said);
        else if (alone->what == sql::request::kind::acquire && said)
            row = {"1", std::string(alone->of->token()), said, std::nullopt};
        else if (alone->what == sql::request::kind::acquire)
            row = {"1", std::nullopt, std::nullopt, look_again};
    }
}

sql::statement look(std::string_view key, std::size_t bucket) {
    return {.text = look_text, .given = parameters().bytes(key).number(static_cast<std::int64_t>(bucket))};
}

} // namespace redlock::postgresql::advisory
