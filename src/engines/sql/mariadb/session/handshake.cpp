#include "engines/sql/mariadb/session/handshake.hpp"

#include "core/printable.hpp"
#include "engines/sql/fence.hpp"
#include "engines/sql/mariadb/session/rights.hpp"
#include "engines/sql/mariadb/session/statements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <mysqld_error.h>
#include <utility>

namespace redlock::mariadb {

namespace {

using kind = handshake::step::kind;

constexpr std::size_t longest_version = 40;
constexpr std::size_t longest_identity = 1024;
constexpr unsigned most_looks = 200;
constexpr unsigned most_waits = 5; ///< for others who connect
constexpr std::int64_t longest_age =
    std::int64_t{100} * 365 * 86'400'000; ///< a hundred years of milliseconds

handshake::step refusal(errc why, std::string text) {
    return {.what = kind::refuse, .why = why, .text = std::move(text)};
}

/// Of milliseconds.
core::nanoseconds age_of(std::int64_t age) noexcept {
    return std::chrono::milliseconds(std::clamp<std::int64_t>(age, 0, longest_age));
}

core::nanoseconds age_of_seconds(std::int64_t age) noexcept {
    return age_of(std::clamp<std::int64_t>(age, 0, longest_age / 1000) * 1000);
}

/// Thousands of the major number, and the minor; 0 for what has none.
unsigned release_of(std::string_view version) noexcept {
    unsigned major = 0, minor = 0;
    const char* const end = version.data() + version.size();
    const auto first = std::from_chars(version.data(), end, major);
    if (first.ec != std::errc() || first.ptr == end || *first.ptr != '.') return 0;
    const auto second = std::from_chars(first.ptr + 1, end, minor);
    return second.ec == std::errc() && major < 1000 && minor < 1000 ? major * 1000 + minor : 0;
}

struct known_error {
    unsigned code;
    errc means;
};
// Those that only MySQL has stand as numbers: libmariadb has no names for them.
constexpr known_error known_errors[] = {
    {ER_LOCK_WAIT_TIMEOUT, errc::held},
    {ER_LOCK_DEADLOCK, errc::held},
    {ER_CHECKREAD, errc::held},
    {3572, errc::held},         // a row that is locked
    {1969, errc::node_timeout}, // MariaDB's limit to statements
    {3024, errc::node_timeout}, // MySQL's
    {ER_QUERY_INTERRUPTED, errc::node_timeout},
    {ER_ACCESS_DENIED_ERROR, errc::authentication_failed},
    {ER_DBACCESS_DENIED_ERROR, errc::permission_denied},
    {ER_TABLEACCESS_DENIED_ERROR, errc::permission_denied},
    {ER_COLUMNACCESS_DENIED_ERROR, errc::permission_denied},
    {ER_SPECIFIC_ACCESS_DENIED_ERROR, errc::permission_denied},
    {ER_OPTION_PREVENTS_STATEMENT, errc::read_only},
    {1792, errc::read_only}, // a transaction that may not write
    {1836, errc::read_only}, // MySQL's mode
    {ER_DISK_FULL, errc::out_of_memory},
    {ER_OUTOFMEMORY, errc::out_of_memory},
    {ER_OUT_OF_RESOURCES, errc::out_of_memory},
    {ER_RECORD_FILE_FULL, errc::out_of_memory},
    {ER_SERVER_SHUTDOWN, errc::node_unavailable},
    {ER_NEW_ABORTING_CONNECTION, errc::node_unavailable},
};

} // namespace

bool is_mysql(std::string_view version) noexcept { return version.find("MariaDB") == version.npos; }

errc meaning_of(const sql::answer& failed) noexcept {
    const std::int64_t code = sql::number_in(failed.error_code).value_or(0);
    const auto* const known = std::ranges::find_if(
        known_errors, [&](const known_error& e) { return static_cast<std::int64_t>(e.code) == code; });
    return known == std::end(known_errors) ? errc::server_error : known->means;
}

handshake::step handshake::send(phase next, sql::statements all) {
    phase_ = next;
    return {.what = kind::send, .next = std::move(all)};
}

handshake::step handshake::begin(core::nanoseconds patience) {
    patience_ = patience;
    return send(phase::greeting, greeting(patience, session_name_));
}

handshake::step handshake::answered(const std::vector<sql::answer>& all) {
    const auto failure = std::ranges::find_if(all, &sql::answer::failed);
    if (phase_ == phase::probing)
        return probed(failure != all.end() && meaning_of(*failure) == errc::permission_denied);
    if (failure != all.end()) return failed(*failure);
    if (all.empty()) return refusal(errc::protocol_error, "left a question without an answer");
    switch (phase_) {
    case phase::greeting:
    case phase::looking:
        return greeted(all);
    case phase::creating:
        return send(phase::looking, greeting(patience_, session_name_));
    case phase::seeking:
        return sought(all.back());
    case phase::ending:
        phase_ = phase::seeking;
        return {.what = kind::send_later, .next = owner_of(before_->session)};
    default:
        return noted(all.back());
    }
}

// A session that has ended meanwhile cannot be ended. The user changed, and may not end what the one before
// does: it ends by itself. Of those who make the table, or note the server, at the same time, one may be told
// that it stood in the way of the others.
handshake::step handshake::failed(const sql::answer& failure) {
    if (phase_ == phase::ending) {
        phase_ = phase::seeking;
        const bool is_gone = failure.error_code == std::to_string(ER_NO_SUCH_THREAD);
        if (is_gone) return {.what = kind::send_later, .next = owner_of(before_->session)};
        return note();
    }
    const errc why = meaning_of(failure);
    if (why == errc::held && waits_++ < most_waits) {
        if (phase_ == phase::creating || phase_ == phase::looking) {
            created_ = false;
            phase_ = phase::looking;
            return {.what = kind::send_later, .next = greeting(patience_, session_name_)};
        }
        if (phase_ == phase::noting)
            return {.what = kind::send_later, .next = era_note(identity_, found_.keeps_prepared)};
    }
    // Others have prepared as much as it has room for: locks do without.
    const bool has_no_room = failure.error_code == std::to_string(ER_MAX_PREPARED_STMT_COUNT_REACHED);
    if (has_no_room && std::exchange(found_.keeps_prepared, false)) return note();
    if (why == errc::permission_denied) {
        refusal_ = sql::words_of(failure);
        if (phase_ == phase::creating) missing_rights_.emplace_back(right_to_create);
        return probe();
    }
    return refusal(why == errc::held ? errc::node_timeout : why, sql::words_of(failure));
}

handshake::step handshake::greeted(const std::vector<sql::answer>& told) {
    if (told.size() != 3 || told.front().rows.size() != 1)
        return refusal(errc::protocol_error, "does not say who it is");
    const sql::answer::row& row = told.front().rows.front();
    const auto number = [&](std::size_t column) { return sql::number_in(sql::cell_of(row, column)); };
    found_.version = core::printable(sql::cell_of(row, 0).value_or(""), longest_version);
    const bool of_mysql = is_mysql(found_.version);
    if (release_of(found_.version) < (of_mysql ? 8'000u : 10'006u))
        return refusal(errc::unsupported,
                       fmt::format("is {} {}, older than {}, the first that has the SKIP LOCKED and the "
                                   "JSON_TABLE which locks need",
                                   of_mysql ? "MySQL" : "MariaDB", found_.version,
                                   of_mysql ? "8.0" : "10.6"));
    found_.keeps_prepared = !of_mysql;
    found_.process = number(1).value_or(0);
    found_.session = session_name_;
    found_.is_standby = number(2).value_or(1) != 0;
    if (found_.is_standby) return refusal(errc::read_only, "is a replica, which takes no writes");
    const auto flushes = number(3);
    found_.facts.keeps_commits = flushes == 1 || flushes == 3;
    if (number(4) != 1) return refusal(errc::server_error, "does not give the session its name");
    found_.keeps_labels = number(6).value_or(0) != 0;
    found_.speaks_utf8 = true;
    if (told[1].rows.size() == 1)
        found_.facts.uptime =
            age_of_seconds(sql::number_in(sql::cell_of(told[1].rows.front(), 1)).value_or(0));
    identity_.clear();
    for (const sql::answer::row& variable : told[2].rows)
        identity_ += fmt::format("{}={};", sql::cell_of(variable, 0).value_or(""),
                                 sql::cell_of(variable, 1).value_or(""));
    if (identity_.empty() || identity_.size() > longest_identity)
        return refusal(errc::protocol_error, "does not say which server it is");
    return go_on_with_table(number(5).value_or(0) != 0);
}

handshake::step handshake::go_on_with_table(bool is_there) {
    if (is_there) return before_ ? send(phase::seeking, owner_of(before_->session)) : note();
    if (std::exchange(created_, true))
        return refusal(errc::server_error, "has no table redlock in its database, although it was made");
    return send(phase::creating, creation());
}

// What it did last may still be written down: until it is gone nobody knows what has become of it.
handshake::step handshake::sought(const sql::answer& told) {
    if (told.rows.size() != 1) return refusal(errc::protocol_error, "does not say who has a name");
    const auto owner = sql::number_in(sql::cell_of(told.rows.front(), 0));
    if (!owner) return note();
    if (++looks_ > most_looks)
        return refusal(errc::node_timeout, "still works for the connection that it has ended");
    return send(phase::ending, end_of(*owner));
}

handshake::step handshake::note() { return send(phase::noting, era_note(identity_, found_.keeps_prepared)); }

handshake::step handshake::probe() {
    return send(phase::probing, {{.text = rights_to_table()[probes_].probe}});
}

// A probe that fails for another reason says nothing of the right.
handshake::step handshake::probed(bool forbidden) {
    const auto rights = rights_to_table();
    if (forbidden) missing_rights_.emplace_back(rights[probes_].rule);
    if (++probes_ < rights.size()) return probe();
    return {.what = kind::refuse,
            .why = errc::permission_denied,
            .text = refusal_,
            .missing_rights = missing_rights_};
}

handshake::step handshake::noted(const sql::answer& told) {
    if (told.rows.size() != 1)
        return refusal(errc::server_error, "does not keep in its table which server it is");
    const sql::answer::row& row = told.rows.front();
    const std::int64_t era = sql::number_in(sql::cell_of(row, 0)).value_or(0);
    if (!sql::fence_base(era))
        return refusal(errc::unsupported,
                       fmt::format("is in the era {}, beyond what fencing tokens have room for", era));
    found_.facts.timeline = era;
    found_.facts.first_timeline = era == 1;
    found_.facts.on_timeline = age_of(sql::number_in(sql::cell_of(row, 1)).value_or(0));
    return {.what = kind::done};
}

} // namespace redlock::mariadb
