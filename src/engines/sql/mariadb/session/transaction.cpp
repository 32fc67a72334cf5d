// What is sent for the requests of a turn: one text, and one transaction.

#include "engines/sql/holder_label.hpp"
#include "engines/sql/mariadb/session/one_row.hpp"
#include "engines/sql/mariadb/session/statements.hpp"
#include "engines/sql/mariadb/session/wishes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <mysqld_error.h>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace redlock::mariadb {

namespace {

using request_kind = sql::request::kind;

// In the same order in all clients: each takes the locks of its rows in one transaction. Give back and renew
// what is one's own, which may wait for somebody who is taking over what has run out; then take what is free
// and waits for nobody; then make what is missing, in the order of the keys.

// Rows are found by an index, which is forced: of a small table the server would rather read all of them, and
// lock them. Those of what is one's own are those with one of the keys {0} and of the tokens {1}: an update
// of rows that are joined to something makes a table on the disk of them first, at several times its cost.

// Nearly always they all are, which the number of them says: {3}. Where they are not nothing may be done, and
// the second row of what stands for one value is the error that says so.
constexpr const char* are_all = R"(SET @short = {3} - ROW_COUNT();
SET @all = (SELECT 1 UNION ALL SELECT 0 FROM (SELECT 1) AS one WHERE @short <> 0);
)";
constexpr const char* release_all_text =
    R"(UPDATE redlock FORCE INDEX (PRIMARY) SET token = NULL, expires = @now WHERE `key` IN ({0}) AND token IN ({1}) AND expires >= @now;
)";
constexpr const char* renew_all_text = R"(UPDATE redlock FORCE INDEX (PRIMARY)
SET expires = TIMESTAMPADD(MICROSECOND, {2} * 1000, @now) WHERE `key` IN ({0}) AND token IN ({1}) AND expires > @now;
)";

// Which of them are one's own. A release says whether the key was still its own, too.
constexpr const char* release_text =
    R"(SELECT FIELD(token, {1}), expires >= @now FROM redlock FORCE INDEX (PRIMARY) WHERE `key` IN ({0}) AND token IN ({1}) FOR UPDATE;
UPDATE redlock FORCE INDEX (PRIMARY) SET token = NULL, expires = LEAST(expires, @now) WHERE `key` IN ({0}) AND token IN ({1});
)";
constexpr const char* renew_text = R"(UPDATE redlock FORCE INDEX (PRIMARY)
SET expires = TIMESTAMPADD(MICROSECOND, {2} * 1000, @now) WHERE `key` IN ({0}) AND token IN ({1}) AND expires > @now;
SELECT FIELD(token, {1}) FROM redlock FORCE INDEX (PRIMARY) WHERE `key` IN ({0}) AND token IN ({1}) AND expires > @now;
)";

// The others begin with {0}, the wishes. Joined to them, {1}, are the rows in question. MySQL refuses to lock
// wishes, so it is told whose rows are meant; MariaDB cannot be told, and passes over what is for versions of
// MySQL.
constexpr const char* wanted =
    "JSON_TABLE(@w, '$[*]' COLUMNS (n FOR ORDINALITY, k VARCHAR(8192) CHARACTER SET ascii PATH '$.k', "
    "t VARCHAR(64) CHARACTER SET ascii PATH '$.t', l BIGINT PATH '$.l')) AS w";
// An index takes no long keys: the row of one has its hash instead.
constexpr const char* key_of_wish = "IF(LENGTH(w.k) <= 4096, UNHEX(w.k), UNHEX(SHA2(UNHEX(w.k), 256)))";

// Rows whose entry of the guard somebody has are left out: his transaction ends when he likes.
constexpr const char* advance_text = R"(SET @w = '{0}', @own = NULL;
SELECT GROUP_CONCAT(w.n) INTO @own FROM {1} STRAIGHT_JOIN redlock AS r FORCE INDEX (guard) ON r.`key` = {2}
WHERE r.token = w.t AND r.expires > @now FOR UPDATE /*!80000 OF r */ SKIP LOCKED;
UPDATE {1} STRAIGHT_JOIN redlock AS r FORCE INDEX (PRIMARY) ON r.`key` = {2}
SET r.fence = GREATEST(r.fence, {3}) + 1 WHERE FIND_IN_SET(w.n, @own);
SELECT w.n, r.fence FROM {1} STRAIGHT_JOIN redlock AS r FORCE INDEX (PRIMARY) ON r.`key` = {2} WHERE FIND_IN_SET(w.n, @own);
)";

// Likewise, and rows that somebody takes or renews this very moment. Those that are left are locked, so what
// is inserted finds them and changes them. What is missing is made: with a token above all of rows that were
// deleted, which the row of the empty key has; without that one nothing may be made, and the second row of
// what stands for one value is the error that says so. Where all were free, or nothing is missing, a
// condition that is a variable alone spares the server what is not to be done.
constexpr const char* acquire_text = R"(SET @w = '{0}', @free = NULL, @top = NULL;
SELECT GROUP_CONCAT(w.n), {6} - COUNT(*) INTO @free, @left FROM {1} STRAIGHT_JOIN redlock AS r FORCE INDEX (guard) ON r.`key` = {2}
WHERE r.token IS NULL OR r.expires <= @now FOR UPDATE /*!80000 OF r */ SKIP LOCKED;
INSERT INTO redlock (`key`, token, fence, expires, label)
SELECT {2}, w.t, {3}, @now, NULL FROM {1} WHERE @left = 0 OR FIND_IN_SET(w.n, @free)
ON DUPLICATE KEY UPDATE token = w.t, fence = GREATEST(redlock.fence, {3}) + 1, label = {4},
    expires = TIMESTAMPADD(MICROSECOND, w.l * 1000, @now){7};
SELECT IF(@left > 0, {6} - COUNT(*), 0) INTO @missing FROM redlock FORCE INDEX (PRIMARY) WHERE @left > 0 AND `key` IN ({5});
SELECT fence INTO @top FROM redlock WHERE `key` = '' AND @missing > 0 LOCK IN SHARE MODE;
SET @top = (SELECT @top UNION ALL SELECT 0 FROM (SELECT 1) AS one WHERE @missing > 0 AND @top IS NULL);
INSERT IGNORE INTO redlock (`key`, token, fence, expires, label)
SELECT {2}, w.t, GREATEST(@top, {3}) + 1, TIMESTAMPADD(MICROSECOND, w.l * 1000, @now), {4}
FROM {1} LEFT JOIN redlock AS r FORCE INDEX (PRIMARY) ON r.`key` = {2} WHERE @missing > 0 AND r.`key` IS NULL ORDER BY 1{7};
{8}SELECT w.n, NULL, NULL, CEIL(TIMESTAMPDIFF(MICROSECOND, @now, r.expires) / 1000)
FROM {1} STRAIGHT_JOIN redlock AS r FORCE INDEX (PRIMARY) ON r.`key` = {2}
WHERE @left > 0 AND r.token <> w.t AND r.expires > @now;
)";

// MariaDB tells of rows as it makes and changes them, and not of those that were there. One that two want it
// tells of twice, though the second has taken it from the first. Then it is asked behind that, as MySQL is.
constexpr const char* tells_of_rows = "\nRETURNING NULL, token, fence, NULL";
constexpr const char* ask_for_rows = "SELECT NULL, token, fence, NULL FROM redlock FORCE INDEX (PRIMARY) "
                                     "WHERE `key` IN ({0}) AND token IN ({1})\n"
                                     "UNION ALL ";

bool is_wanted_twice(const std::vector<sql::request*>& asked) {
    std::unordered_set<std::string_view> keys;
    return !std::ranges::all_of(
        asked, [&](const sql::request* r) { return keys.insert(r->of->full_key.view()).second; });
}

std::string label_of_row(std::string_view label) {
    if (label.empty()) return "NULL";
    return fmt::format("CONCAT(RIGHT(w.t, {}), ':', CONVERT({} USING utf8mb4))", sql::label_mark,
                       literal(label));
}

// Of the row with the token, in milliseconds.
std::string life_of(const std::vector<sql::request*>& asked) {
    const auto life = [](const sql::request* r) { return std::min(r->life, sql::longest_row_life).count(); };
    if (std::ranges::all_of(asked, [&](const sql::request* r) { return life(r) == life(asked.front()); }))
        return fmt::to_string(life(asked.front()));
    std::string text = "CASE token";
    for (const sql::request* r : asked)
        fmt::format_to(std::back_inserter(text), " WHEN '{}' THEN {}", r->of->token(), life(r));
    return text + " END";
}

} // namespace

sql::statements transaction(const sql::batch& all, std::int64_t fence_base, std::string_view label,
                            bool of_mysql, bool is_prepared) {
    if (const sql::request* const alone = all.alone(); alone && one_row::fits(*alone))
        return {{.text = one_row::text_for(*alone, fence_base, label, of_mysql, is_prepared)}};
    return transaction_for_many(all, fence_base, label, of_mysql, owned::all);
}

sql::statements transaction_for_many(const sql::batch& all, std::int64_t fence_base, std::string_view label,
                                     bool of_mysql, owned o) {
    // Of a time of its own for each statement the later might be the earlier, where the clock is set back.
    std::string text = "START TRANSACTION;\nSET @now = UTC_TIMESTAMP(6);\n";
    const auto add_own = [&](request_kind k, const char* of_all, const char* of_some) {
        const std::vector<sql::request*>& asked = all.of(k);
        if (asked.empty()) return;
        const std::string of_kind = o == owned::all ? std::string(of_all) + are_all : of_some;
        text += fmt::format(fmt::runtime(of_kind), keys_of(asked), tokens_of(asked), life_of(asked),
                            asked.size());
    };
    const auto add = [&](request_kind k, const char* of_kind) {
        const std::vector<sql::request*>& asked = all.of(k);
        if (asked.empty()) return;
        const std::string keys = keys_of(asked);
        const bool asks = of_mysql || is_wanted_twice(asked);
        text += fmt::format(fmt::runtime(of_kind), wishes_of(asked), wanted, key_of_wish, fence_base,
                            label_of_row(label), keys, asked.size(), asks ? "" : tells_of_rows,
                            asks ? fmt::format(fmt::runtime(ask_for_rows), keys, tokens_of(asked))
                                 : std::string());
    };
    add_own(request_kind::release, release_all_text, release_text);
    add_own(request_kind::renew, renew_all_text, renew_text);
    add(request_kind::advance, advance_text);
    add(request_kind::acquire, acquire_text);
    text += "COMMIT";
    return {{.text = std::move(text)}};
}

void add_owned(const sql::batch& all, std::vector<sql::answer>& told) {
    auto place = told.begin();
    for (const request_kind k : {request_kind::release, request_kind::renew}) {
        const std::size_t count = all.of(k).size();
        if (count == 0) continue;
        sql::answer owned;
        for (std::size_t i = 1; i <= count; ++i)
            owned.rows.push_back({fmt::to_string(i), "1"});
        place = std::next(told.insert(place, std::move(owned)));
    }
}

bool says_some_are_not_owned(const sql::batch& all, const sql::answer& failed) {
    return failed.error_code == fmt::to_string(ER_SUBQUERY_NO_1_ROW) &&
           !(all.of(request_kind::release).empty() && all.of(request_kind::renew).empty());
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
