#include "engines/sql/mariadb/session/statements.hpp"

#include "engines/sql/fence.hpp"
#include "engines/sql/mariadb/session/one_row.hpp"
#include "engines/sql/mariadb/session/schema.hpp"
#include "engines/sql/mariadb/session/wishes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace redlock::mariadb {

namespace {

// MariaDB ends a statement that takes too long; of MySQL no lock is waited for longer than a second, which is
// the least it knows. The list of what was taken has a number for each of some hundred, or a thousand keys.
constexpr const char* session_text = R"(SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION',
    SESSION autocommit = 1, SESSION time_zone = '+00:00', SESSION group_concat_max_len = 8000000,
    SESSION innodb_lock_wait_timeout = 1, SESSION lock_wait_timeout = 1 /*M!100100 , SESSION max_statement_time = {} */;
SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED;
)";

constexpr const char* facts_text =
    R"(SELECT VERSION(), CONNECTION_ID(), @@global.read_only, @@global.innodb_flush_log_at_trx_commit, GET_LOCK('{}', 0),
    (SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'redlock'),
    (SELECT COUNT(*) FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = 'redlock'
        AND column_name = 'label');
SHOW GLOBAL STATUS LIKE 'Uptime';
SHOW GLOBAL VARIABLES WHERE Variable_name IN ('server_uuid', 'server_id', 'hostname', 'port', 'datadir'))";

// The row of the empty key, which no lock has, is that of the server; before the counter its fence has the
// era. Nearly always it is right as it stands, and is only read: to write there would wait for all who are
// taking keys. Who writes takes the row for himself at once, for two that had it in common would wait for
// each other.
constexpr const char* era_text = R"(START TRANSACTION;
SET @known = (SELECT COUNT(*) FROM redlock WHERE `key` = '' AND token = SHA2({0}, 256));
INSERT INTO redlock (`key`, token, fence, expires)
SELECT '', SHA2({0}, 256), 1 << {1}, UTC_TIMESTAMP(6) FROM (SELECT 1) AS one WHERE @known = 0
ON DUPLICATE KEY UPDATE expires = IF(redlock.token <> SHA2({0}, 256), UTC_TIMESTAMP(6), redlock.expires),
    fence = IF(redlock.token <> SHA2({0}, 256), ((redlock.fence >> {1}) + 1) << {1}, redlock.fence), token = SHA2({0}, 256);
SELECT fence >> {1}, TIMESTAMPDIFF(MICROSECOND, expires, UTC_TIMESTAMP(6)) DIV 1000 FROM redlock WHERE `key` = '';
COMMIT)";

} // namespace

sql::statements greeting(core::nanoseconds patience, std::string_view session_name) {
    // It ends before the connection is given up.
    const double limit = std::chrono::duration<double>(patience / 2).count();
    return {{.text = fmt::format(fmt::runtime(session_text), limit) +
                     fmt::format(fmt::runtime(facts_text), session_name)}};
}

sql::statements creation() { return {{.text = schema()}, {.text = "SELECT 1"}}; }

sql::statements owner_of(std::string_view session_name) {
    return {{.text = fmt::format("SELECT IS_USED_LOCK('{}')", session_name)}};
}

sql::statements end_of(std::int64_t connection) {
    return {{.text = fmt::format("KILL {}", connection)}, {.text = "SELECT 1"}};
}

sql::statements era_note(std::string_view server_identity, bool prepares) {
    std::string text = fmt::format(fmt::runtime(era_text), literal(server_identity), sql::bits_of_counter);
    if (prepares) text += ";\n" + one_row::preparations();
    return {{.text = std::move(text)}};
}

// Who waits is in no table.
sql::statement look(std::string_view key) {
    return {.text = fmt::format(
                "SELECT r.token, CEIL(TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), r.expires) / 1000), "
                "r.fence, NULL, r.label FROM (SELECT 1) AS one LEFT JOIN redlock AS r ON r.`key` = {}",
                key_literal(key))};
}

sql::statement is_current(std::string_view key, std::int64_t fencing_token) {
    return {.text =
                fmt::format("SELECT 1 FROM redlock WHERE `key` = {} AND fence = {} AND token IS NOT NULL AND "
                            "expires > UTC_TIMESTAMP(6)",
                            key_literal(key), fencing_token)};
}

sql::statement take_away(std::string_view key, std::string_view token) {
    return {.text = fmt::format("UPDATE redlock SET token = NULL, expires = LEAST(expires, UTC_TIMESTAMP(6)) "
                                "WHERE `key` = {} AND token = {} AND expires > UTC_TIMESTAMP(6);"
                                "SELECT 1 FROM (SELECT ROW_COUNT() AS changed) AS c WHERE changed > 0",
                                key_literal(key), literal(token))};
}

// Rows that nobody holds are told of too, for a table may have many: what is read for one page is bounded.
sql::statement list(std::string_view from, std::string_view end, std::size_t most) {
    return {.text = fmt::format("SELECT LOWER(HEX(`key`)), token IS NOT NULL AND expires > UTC_TIMESTAMP(6) "
                                "FROM redlock WHERE `key` >= {} AND `key` < {} ORDER BY `key` LIMIT {}",
                                literal(from), literal(end), most)};
}

sql::statement state(bool is_mysql) {
    const char* const status =
        is_mysql ? "performance_schema.global_status" : "information_schema.global_status";
    return {.text = fmt::format("SELECT CAST(UNIX_TIMESTAMP(NOW(6)) * 1000000 AS SIGNED), "
                                "(SELECT variable_value FROM {} WHERE variable_name = 'UPTIME'), "
                                "@@global.innodb_flush_log_at_trx_commit, "
                                "IF(@@global.innodb_flush_log_at_trx_commit IN (1, 3), 'on', 'off')",
                                status)};
}

} // namespace redlock::mariadb
