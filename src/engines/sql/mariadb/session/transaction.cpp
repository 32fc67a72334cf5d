// What is sent for the requests of a turn: one text, and one transaction.

#include "engines/sql/holder_label.hpp"
#include "engines/sql/mariadb/session/one_row.hpp"
#include "engines/sql/mariadb/session/statements.hpp"
#include "engines/sql/mariadb/session/wishes.hpp"

#include <fmt/format.h>

namespace redlock::mariadb {

namespace {

using request_kind = sql::request::kind;

// In the same order in all clients: each takes the locks of its rows in one transaction. Give back and renew
// what is one's own, which may wait for somebody who is taking over what has run out; then take what is free
// and waits for nobody; then make what is missing, in the order of the keys.

// Each begins with {0}, the wishes. Joined to them, {1}, are the rows in question. They are found by an
// index, which is forced: of a small table the server would rather read all rows, and lock them. MySQL
// refuses to lock wishes, so it is told whose rows are meant; MariaDB cannot be told, and passes over what is
// for versions of MySQL.
constexpr const char* wanted =
    "JSON_TABLE(@w, '$[*]' COLUMNS (n FOR ORDINALITY, k VARCHAR(8192) CHARACTER SET ascii PATH '$.k', "
    "t VARCHAR(64) CHARACTER SET ascii PATH '$.t', l BIGINT PATH '$.l')) AS w";
// An index takes no long keys: the row of one has its hash instead.
constexpr const char* key_of_wish = "IF(LENGTH(w.k) <= 4096, UNHEX(w.k), UNHEX(SHA2(UNHEX(w.k), 256)))";

// It says whether the key was still its own.
constexpr const char* release_text = R"(SET @w = '{0}';
SELECT w.n, r.expires >= @now FROM {1} STRAIGHT_JOIN redlock AS r FORCE INDEX (PRIMARY) ON r.`key` = {2} WHERE r.token = w.t FOR UPDATE /*!80000 OF r */;
UPDATE {1} STRAIGHT_JOIN redlock AS r FORCE INDEX (PRIMARY) ON r.`key` = {2}
SET r.token = NULL, r.expires = LEAST(r.expires, @now) WHERE r.token = w.t;
)";

constexpr const char* renew_text = R"(SET @w = '{0}';
UPDATE {1} STRAIGHT_JOIN redlock AS r FORCE INDEX (PRIMARY) ON r.`key` = {2}
SET r.expires = TIMESTAMPADD(MICROSECOND, w.l * 1000, @now) WHERE r.token = w.t AND r.expires > @now;
SELECT w.n FROM {1} STRAIGHT_JOIN redlock AS r FORCE INDEX (PRIMARY) ON r.`key` = {2} WHERE r.token = w.t AND r.expires > @now;
)";

// Rows whose entry of the guard somebody has are left out: his transaction ends when he likes.
constexpr const char* advance_text = R"(SET @w = '{0}', @own = NULL;
SELECT GROUP_CONCAT(w.n) INTO @own FROM {1} STRAIGHT_JOIN redlock AS r FORCE INDEX (guard) ON r.`key` = {2}
WHERE r.token = w.t AND r.expires > @now FOR UPDATE /*!80000 OF r */ SKIP LOCKED;
UPDATE {1} STRAIGHT_JOIN redlock AS r FORCE INDEX (PRIMARY) ON r.`key` = {2}
SET r.fence = GREATEST(r.fence, {3}) + 1 WHERE FIND_IN_SET(w.n, @own);
SELECT w.n, r.fence FROM {1} STRAIGHT_JOIN redlock AS r FORCE INDEX (PRIMARY) ON r.`key` = {2} WHERE FIND_IN_SET(w.n, @own);
)";

// Likewise, and rows that somebody takes or renews this very moment. What is made has a token above all of
// rows that were deleted, which the row of the empty key has; without it nothing may be made, and the second
// row of what stands for one value is the error that says so.
constexpr const char* acquire_text = R"(SET @w = '{0}', @free = NULL, @top = NULL;
SELECT GROUP_CONCAT(w.n) INTO @free FROM {1} STRAIGHT_JOIN redlock AS r FORCE INDEX (guard) ON r.`key` = {2}
WHERE r.token IS NULL OR r.expires <= @now FOR UPDATE /*!80000 OF r */ SKIP LOCKED;
UPDATE {1} STRAIGHT_JOIN redlock AS r FORCE INDEX (PRIMARY) ON r.`key` = {2}
SET r.token = w.t, r.fence = GREATEST(r.fence, {3}) + 1, r.label = {4},
    r.expires = TIMESTAMPADD(MICROSECOND, w.l * 1000, @now) WHERE FIND_IN_SET(w.n, @free);
SELECT fence INTO @top FROM redlock WHERE `key` = '' LOCK IN SHARE MODE;
SET @top = (SELECT @top UNION ALL SELECT 0 FROM (SELECT 1) AS one WHERE @top IS NULL);
INSERT IGNORE INTO redlock (`key`, token, fence, expires, label)
SELECT {2}, w.t, GREATEST(@top, {3}) + 1, TIMESTAMPADD(MICROSECOND, w.l * 1000, @now), {4}
FROM {1} LEFT JOIN redlock AS r FORCE INDEX (PRIMARY) ON r.`key` = {2} WHERE r.`key` IS NULL ORDER BY 1;
SELECT w.n, IF(r.token = w.t, r.token, NULL), IF(r.token = w.t, r.fence, NULL),
    IF(r.token = w.t, NULL, CEIL(TIMESTAMPDIFF(MICROSECOND, @now, r.expires) / 1000))
FROM {1} STRAIGHT_JOIN redlock AS r FORCE INDEX (PRIMARY) ON r.`key` = {2} WHERE r.token IS NOT NULL AND r.expires > @now;
)";

std::string label_of_row(std::string_view label) {
    if (label.empty()) return "NULL";
    return fmt::format("CONCAT(RIGHT(w.t, {}), ':', CONVERT({} USING utf8mb4))", sql::label_mark,
                       literal(label));
}

} // namespace

sql::statements transaction(const sql::batch& all, std::int64_t fence_base, std::string_view label,
                            bool of_mysql, bool is_prepared) {
    if (const sql::request* const alone = all.alone(); alone && one_row::fits(*alone))
        return {{.text = one_row::text_for(*alone, fence_base, label, of_mysql, is_prepared)}};
    return transaction_for_many(all, fence_base, label);
}

sql::statements transaction_for_many(const sql::batch& all, std::int64_t fence_base, std::string_view label) {
    // Of a time of its own for each statement the later might be the earlier, where the clock is set back.
    std::string text = "START TRANSACTION;\nSET @now = UTC_TIMESTAMP(6);\n";
    const auto add = [&](request_kind k, const char* of_kind) {
        if (all.of(k).empty()) return;
        text += fmt::format(fmt::runtime(of_kind), wishes_of(all.of(k)), wanted, key_of_wish, fence_base,
                            label_of_row(label));
    };
    add(request_kind::release, release_text);
    add(request_kind::renew, renew_text);
    add(request_kind::advance, advance_text);
    add(request_kind::acquire, acquire_text);
    text += "COMMIT";
    return {{.text = std::move(text)}};
}

// The row of the empty key is locked first: what is made meanwhile waits to see the highest fencing token of
// what is deleted. A row is deleted by whoever has it locked by its entry of the guard. A variable that was
// set to NULL is of bytes in MySQL, which it does not read as JSON.
sql::statements purge() {
    constexpr const char* spent = "`key` <> '' AND expires < TIMESTAMPADD(MINUTE, -1, @now)";
    return {{.text = fmt::format(
                 R"(START TRANSACTION;
SET @now = UTC_TIMESTAMP(6), @top = NULL, @gone = NULL, @high = NULL;
SELECT fence INTO @top FROM redlock WHERE `key` = '' FOR UPDATE;
SELECT CONCAT('[', GROUP_CONCAT('{{"k":"', HEX(r.`key`), '"}}'), ']'), MAX(r.fence) INTO @gone, @high
FROM (SELECT `key` FROM redlock WHERE {0} LIMIT {1}) AS s STRAIGHT_JOIN redlock AS r FORCE INDEX (guard)
    ON r.`key` = s.`key` WHERE r.expires < TIMESTAMPADD(MINUTE, -1, @now) FOR UPDATE /*!80000 OF r */ SKIP LOCKED;
UPDATE redlock SET fence = GREATEST(fence, @high) WHERE `key` = '' AND @high IS NOT NULL;
DELETE r FROM JSON_TABLE(CONVERT(IFNULL(@gone, '[]') USING utf8mb4), '$[*]' COLUMNS (k VARCHAR(4096) CHARACTER SET ascii PATH '$.k')) AS w
    STRAIGHT_JOIN redlock AS r FORCE INDEX (PRIMARY) ON r.`key` = UNHEX(w.k);
COMMIT)",
                 spent, purge_limit)}};
}

sql::statement holders_among(const std::vector<std::string_view>& keys) {
    return {.text = fmt::format(
                R"(SET @w = '{0}';
SELECT w.n, r.`key` IS NULL OR r.token IS NULL OR r.expires <= UTC_TIMESTAMP(6), r.fence
FROM {1} LEFT JOIN redlock AS r FORCE INDEX (PRIMARY) ON r.`key` = {2})",
                wishes_of(keys), wanted, key_of_wish)};
}

} // namespace redlock::mariadb
