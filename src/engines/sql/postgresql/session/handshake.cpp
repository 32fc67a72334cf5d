#include "engines/sql/postgresql/session/handshake.hpp"

#include "core/printable.hpp"
#include "engines/sql/fence.hpp"
#include "engines/sql/postgresql/advisory/statements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <string_view>
#include <utility>

namespace redlock::postgresql {

namespace {

using kind = handshake::step::kind;

constexpr std::int64_t oldest_version = 120'000;
// What `greeting` says of the table.
constexpr std::int64_t may_make_room = 1;
constexpr std::int64_t room_for_labels = 2;
constexpr std::size_t longest_version = 32;
constexpr unsigned most_looks = 200;
constexpr std::int64_t longest_age =
    std::int64_t{100} * 365 * 86'400'000; ///< a hundred years of milliseconds

handshake::step refusal(errc why, std::string text) {
    return {.what = kind::refuse, .why = why, .text = std::move(text)};
}

core::nanoseconds age_in(const sql::answer::cell& c) noexcept {
    const std::int64_t age = std::clamp<std::int64_t>(sql::number_in(c).value_or(0), 0, longest_age);
    return std::chrono::milliseconds(age);
}

} // namespace

errc meaning_of(const sql::answer& failed) noexcept {
    const std::string_view code = failed.error_code;
    if (code.starts_with("28")) return errc::authentication_failed;
    if (code == "42501") return errc::permission_denied;
    if (code == "25006") return errc::read_only;
    if (code.starts_with("53")) return errc::out_of_memory;
    if (code == "55P03" || code == "57014") return errc::node_timeout;
    if (code.starts_with("08") || code.starts_with("57P")) return errc::node_unavailable;
    return errc::server_error;
}

handshake::step handshake::send(phase next, sql::statements all) {
    phase_ = next;
    return {.what = kind::send, .next = std::move(all)};
}

handshake::step handshake::begin(core::nanoseconds patience) {
    patience_ = patience;
    return send(phase::greeting, greeting(patience, locks_are_sessions_));
}

handshake::step handshake::answered(const std::vector<sql::answer>& all) {
    const auto failed = std::ranges::find_if(all, &sql::answer::failed);
    // The user changed, and may not end what the one before does: it ends by itself.
    if (phase_ == phase::ending && failed != all.end()) return {.what = kind::done};
    // Somebody has the table for long, or it is not the user's any more: locks do without.
    if (phase_ == phase::adding) {
        found_.keeps_labels = failed == all.end();
        return prepare();
    }
    if (failed != all.end()) return refusal(meaning_of(*failed), sql::words_of(*failed));
    if (all.empty()) return refusal(errc::protocol_error, "left a question without an answer");
    switch (phase_) {
    case phase::greeting:
    case phase::looking:
        return greeted(all.back());
    case phase::creating:
        return send(phase::looking, greeting(patience_, locks_are_sessions_));
    case phase::preparing:
        return locks_are_sessions_ ? end_before() : send(phase::noting, timeline_note(found_.facts.timeline));
    case phase::noting:
        return noted(all.back());
    default:
        return ended(all.back());
    }
}

handshake::step handshake::greeted(const sql::answer& told) {
    if (told.rows.size() != 1) return refusal(errc::protocol_error, "does not say who it is");
    const sql::answer::row& row = told.rows.front();
    const auto number = [&](std::size_t column) { return sql::number_in(sql::cell_of(row, column)); };
    // Behind it stands who packed it.
    const std::string version = sql::cell_of(row, 1).value_or("");
    found_.version = core::printable(version.substr(0, version.find(' ')), longest_version);
    if (number(0).value_or(0) < oldest_version)
        return refusal(errc::unsupported, fmt::format("is PostgreSQL {}, older than 12", found_.version));
    found_.is_standby = number(2).value_or(1) != 0;
    if (found_.is_standby) return refusal(errc::read_only, "is a standby, which takes no writes");
    found_.facts.timeline = number(3).value_or(0);
    if (!sql::fence_base(found_.facts.timeline))
        return refusal(errc::unsupported,
                       fmt::format("is on timeline {}, beyond what fencing tokens have room for",
                                   found_.facts.timeline));
    found_.process = number(4).value_or(0);
    found_.began = number(5).value_or(0);
    found_.facts.uptime = age_in(sql::cell_of(row, 6));
    // No lock of a session outlives the server.
    found_.facts.keeps_commits = number(7).value_or(0) != 0 && !locks_are_sessions_;
    const std::int64_t table = number(8).value_or(0);
    if (table < 0 || table > std::numeric_limits<std::uint32_t>::max())
        return refusal(errc::protocol_error, "gives its table a number that no table has");
    found_.table = static_cast<std::uint32_t>(table);
    found_.keeps_labels = number(9) == room_for_labels;
    may_add_labels_ = number(9) == may_make_room;
    found_.speaks_utf8 = number(10) == 1;
    return go_on_with_table();
}

handshake::step handshake::go_on_with_table() {
    if (found_.table != 0)
        return has_label_ && may_add_labels_ && !locks_are_sessions_ ? send(phase::adding, addition())
                                                                     : prepare();
    if (std::exchange(created_, true))
        return refusal(errc::server_error, "has no table redlock on its search_path, although it was made");
    return send(phase::creating, creation(locks_are_sessions_));
}

handshake::step handshake::prepare() {
    return send(phase::preparing,
                locks_are_sessions_ ? advisory::preparations() : preparations(found_.keeps_labels));
}

handshake::step handshake::noted(const sql::answer& told) {
    if (told.rows.size() != 1) return refusal(errc::server_error, "does not keep its timeline in its table");
    const sql::answer::row& row = told.rows.front();
    found_.facts.first_timeline = sql::number_in(sql::cell_of(row, 0)).value_or(0) != 0;
    found_.facts.on_timeline = age_in(sql::cell_of(row, 1));
    return end_before();
}

handshake::step handshake::end_before() {
    if (!before_) return {.what = kind::done};
    return send(phase::ending, {end_of(before_->process, before_->began)});
}

// What it did last may still be written down: until it is gone nobody knows what has become of it.
handshake::step handshake::ended(const sql::answer& told) {
    const bool gone =
        told.rows.size() == 1 && sql::number_in(sql::cell_of(told.rows.front(), 0)).value_or(1) == 0;
    if (gone) return {.what = kind::done};
    if (++looks_ > most_looks)
        return refusal(errc::node_timeout, "still works for the connection that it has ended");
    return {.what = kind::send_later, .next = {end_of(before_->process, before_->began)}};
}

} // namespace redlock::postgresql
