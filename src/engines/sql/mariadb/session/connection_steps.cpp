// What libmariadb is asked to do next, and what came of it.

#include "core/printable.hpp"
#include "engines/sql/mariadb/session/connection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <errmsg.h>
#include <mysqld_error.h>
#include <string_view>
#include <utility>

namespace redlock::mariadb {

namespace {

constexpr std::size_t longest_cell = 8192; ///< a key has 2048 bytes at most, which take twice as many in text
constexpr std::size_t most_rows = 4096;
constexpr std::size_t most_answers = 64;
constexpr std::size_t longest_message = 200;

sql::answer::row row_of(MYSQL_ROW cells, const unsigned long* sizes, unsigned columns) {
    sql::answer::row row;
    for (unsigned i = 0; i < columns; ++i) {
        if (cells[i])
            row.emplace_back(std::string(cells[i], std::min<std::size_t>(sizes[i], longest_cell)));
        else
            row.emplace_back();
    }
    return row;
}

} // namespace

int connection::begin(step s) {
    MYSQL* const m = handle_.get();
    switch (s) {
    case step::asking:
        return mysql_real_query_start(&outcome_, m, texts_.front().data(), texts_.front().size());
    case step::fetching:
        return mysql_fetch_row_start(&row_, result_);
    case step::freeing:
        return mysql_free_result_start(result_);
    case step::going_on:
        return mysql_next_result_start(&outcome_, m);
    default:
        constexpr std::string_view rollback = "ROLLBACK";
        return mysql_real_query_start(&outcome_, m, rollback.data(), rollback.size());
    }
}

int connection::resume(int ready) {
    MYSQL* const m = handle_.get();
    switch (step_) {
    case step::connecting:
        return mysql_real_connect_cont(&connect_outcome_, m, ready);
    case step::fetching:
        return mysql_fetch_row_cont(&row_, result_, ready);
    case step::freeing:
        return mysql_free_result_cont(result_, ready);
    case step::going_on:
        return mysql_next_result_cont(&outcome_, m, ready);
    default:
        return mysql_real_query_cont(&outcome_, m, ready);
    }
}

void connection::finished() {
    switch (step_) {
    case step::idle:
        return;
    case step::connecting:
        return connected();
    case step::asking:
        return outcome_ == 0 ? has_result() : note_failure();
    case step::fetching:
        return has_row();
    case step::freeing:
        result_ = nullptr;
        step_ = step::going_on;
        if (!mysql_more_results(handle_.get())) answered();
        return;
    case step::going_on:
        return outcome_ > 0 ? note_failure() : outcome_ < 0 ? answered() : has_result();
    case step::giving_up:
        return outcome_ == 0 ? answered() : fail();
    }
}

void connection::connected() {
    password_.assign(password_.size(), '\0');
    if (!connect_outcome_ || !watch_socket()) return fail();
    // Over a path the greeting was not looked at.
    if (to_.tls != tls_mode::disabled && !mysql_get_ssl_cipher(handle_.get()))
        return fail("it does not encrypt the connection, which ssl-mode demands");
    is_connected_ = true;
    step_ = step::idle;
    told_->connected();
    if (told_) next_text();
}

// A statement has been carried out: with rows to be read, or without.
void connection::has_result() {
    MYSQL* const m = handle_.get();
    if (mysql_field_count(m) == 0) {
        changes_ = {fmt::to_string(mysql_affected_rows(m)), fmt::to_string(mysql_insert_id(m))};
        step_ = step::going_on;
        if (!mysql_more_results(m)) answered();
        return;
    }
    result_ = mysql_use_result(m);
    if (!result_ || answers_.size() == most_answers) return fail();
    answers_.emplace_back();
    step_ = step::fetching;
}

void connection::has_row() {
    if (!row_) {
        if (mysql_errno(handle_.get()) != 0) {
            drop_result();
            return note_failure();
        }
        step_ = step::freeing;
        return;
    }
    std::vector<sql::answer::row>& rows = answers_.back().rows;
    if (rows.size() == most_rows) return fail();
    rows.push_back(row_of(row_, mysql_fetch_lengths(result_), mysql_num_fields(result_)));
}

bool connection::connection_is_lost() const noexcept {
    const unsigned code = mysql_errno(handle_.get());
    return code == 0 || IS_MYSQL_ERROR(code) || IS_MARIADB_ERROR(code) || code == ER_CONNECTION_KILLED ||
           code == ER_SERVER_SHUTDOWN;
}

void connection::note_failure() {
    if (connection_is_lost()) return fail();
    sql::answer failure;
    failure.error_code = fmt::to_string(mysql_errno(handle_.get()));
    failure.error_text = core::printable(mysql_error(handle_.get()), longest_message);
    answers_.push_back(std::move(failure));
    step_ = step::giving_up;
}

void connection::answered() {
    texts_.pop_front();
    step_ = step::idle;
    if (answers_.empty()) answers_.push_back({.rows = {changes_}});
    told_->answered(std::exchange(answers_, {}));
    if (told_) next_text();
}

void connection::next_text() {
    if (step_ == step::idle && !texts_.empty()) step_ = step::asking;
}

} // namespace redlock::mariadb
