#include "engines/sql/mariadb/session/one_row.hpp"

#include "engines/sql/holder_label.hpp"
#include "engines/sql/mariadb/session/wishes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace redlock::mariadb::one_row {

namespace {

using sql::request;

// The time is that of the beginning of the statement, in all its places.
constexpr const char* release_text =
    R"(UPDATE redlock SET token = NULL, expires = IF(LAST_INSERT_ID(expires >= UTC_TIMESTAMP(6)), UTC_TIMESTAMP(6), expires)
WHERE `key` = {} AND token = {})";

constexpr const char* renew_text =
    R"(UPDATE redlock SET expires = TIMESTAMPADD(MICROSECOND, {} * 1000, UTC_TIMESTAMP(6))
WHERE `key` = {} AND token = {} AND expires > UTC_TIMESTAMP(6))";

// What is put aside for the answer is 0 until a row is looked at, {0} to {4}: key, token, life, base, label.
// {5} goes before the statement, {6} finds the row.
constexpr const char* acquire_text =
    R"({5}UPDATE redlock SET token = {1}, fence = LAST_INSERT_ID(GREATEST(fence, {3}) + 1), label = {4},
    expires = TIMESTAMPADD(MICROSECOND, {2} * 1000, UTC_TIMESTAMP(6))
WHERE `key` = {6} AND IF(token IS NULL OR expires <= UTC_TIMESTAMP(6), 1,
    LAST_INSERT_ID(CEIL(TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), expires) / 1000)) AND 0))";

// A row, or its entry of the guard, that somebody has is not waited for. MariaDB can be told so of one
// statement; in MySQL such a row is not found. To have it so in MariaDB, too, takes it longer.
constexpr const char* without_waiting = "SET STATEMENT innodb_lock_wait_timeout = 0 FOR ";
constexpr const char* key_that_is_free_to_lock =
    "(SELECT k FROM (SELECT `key` AS k FROM redlock FORCE INDEX (guard) WHERE `key` = {} "
    "FOR UPDATE SKIP LOCKED) AS found)";

// Names of what was prepared, as the texts have them above.
constexpr const char* prepared_acquire = "redlock_acquire";
constexpr const char* prepared_release = "redlock_release";

std::string label_of_row(std::string_view token, std::string_view label) {
    if (label.empty()) return "NULL";
    const std::string_view mark = token.substr(token.size() - std::min(token.size(), sql::label_mark));
    return fmt::format("CONCAT('{}:', CONVERT({} USING utf8mb4))", mark, literal(label));
}

} // namespace

bool fits(const request& alone) noexcept { return alone.what != request::kind::advance; }

std::string preparations() {
    return fmt::format("PREPARE {} FROM '{}';\nPREPARE {} FROM '{}'", prepared_acquire,
                       fmt::format(fmt::runtime(acquire_text), "", "?", "?", "?", "?", without_waiting, "?"),
                       prepared_release, fmt::format(fmt::runtime(release_text), "?", "?"));
}

std::string text_for(const request& alone, std::int64_t fence_base, std::string_view label, bool of_mysql,
                     bool is_prepared) {
    const std::string key = key_literal(alone.of->full_key);
    const std::string token = fmt::format("'{}'", alone.of->token());
    const auto life = std::min(alone.life, sql::longest_row_life).count();
    if (alone.what == request::kind::release && is_prepared)
        return fmt::format("EXECUTE {} USING {}, {}", prepared_release, key, token);
    if (alone.what == request::kind::release) return fmt::format(fmt::runtime(release_text), key, token);
    if (alone.what == request::kind::renew) return fmt::format(fmt::runtime(renew_text), life, key, token);
    const std::string of_row = label_of_row(alone.of->token(), label);
    if (is_prepared)
        return fmt::format("EXECUTE {} USING {}, {}, {}, {}, {}", prepared_acquire, token, fence_base, of_row,
                           life, key);
    return fmt::format(fmt::runtime(acquire_text), key, token, life, fence_base, of_row,
                       of_mysql ? "" : without_waiting,
                       of_mysql ? fmt::format(fmt::runtime(key_that_is_free_to_lock), key) : key);
}

bool read_acquire(const request& alone, std::vector<sql::answer>& told) {
    if (told.empty() || told.front().rows.empty()) return false;
    const sql::answer::row& said = told.front().rows.front();
    const auto found = sql::number_in(sql::cell_of(said, 0));
    const sql::answer::cell number = sql::cell_of(said, 1);
    if (!found || sql::number_in(number).value_or(0) <= 0) return false;
    sql::answer::row row{"1", std::nullopt, std::nullopt, number};
    if (*found > 0) row = {"1", std::string(alone.of->token()), number, std::nullopt};
    told.front().rows.front() = std::move(row);
    return true;
}

} // namespace redlock::mariadb::one_row
