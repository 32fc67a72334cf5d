#include "engines/sql/postgresql/dialect.hpp"

#include "engines/sql/fence.hpp"
#include "engines/sql/postgresql/advisory/questions.hpp"
#include "engines/sql/postgresql/advisory/statements.hpp"
#include "engines/sql/postgresql/session/connection.hpp"
#include "engines/sql/postgresql/session/handshake.hpp"
#include "engines/sql/postgresql/session/one_row.hpp"
#include "engines/sql/postgresql/session/statements.hpp"
#include "engines/sql/postgresql/wake_session.hpp"
#include "engines/sql/wake_bucket.hpp"

#include <fmt/format.h>

namespace redlock::postgresql {

std::string_view dialect::engine_name() const noexcept {
    return at_.locks_are_sessions ? "postgresql-session" : product();
}

std::shared_ptr<sql::link> dialect::make_link(const sql::strand& on, turn::turns& t,
                                              sql::link_listener& told) const {
    return std::make_shared<connection>(on, t, at_, told);
}

std::unique_ptr<sql::handshake> dialect::greet(const std::optional<sql::server>& before) const {
    return std::make_unique<handshake>(before, has_label_, at_.locks_are_sessions);
}

std::unique_ptr<sql::wakes> dialect::make_wakes(const sql::strand& on, turn::turns& t,
                                                const sql::session_settings& s, sql::table_session&) const {
    return std::make_unique<wake_session>(on, t, *this, s);
}

errc dialect::meaning_of(const sql::answer& failed) const noexcept { return postgresql::meaning_of(failed); }

// The handshake has seen that the timeline fits.
sql::statements dialect::transaction(const sql::batch& all, const sql::server& of,
                                     const std::optional<std::string>& label) const {
    const std::int64_t base = *sql::fence_base(of.facts.timeline);
    if (at_.locks_are_sessions) return advisory::transaction(all, of.table, base);
    return postgresql::transaction(all, of.table, base, label);
}

sql::statements dialect::rest(const sql::batch& all, std::vector<sql::answer>& told, const sql::server& of,
                              const std::optional<std::string>& label) const {
    if (at_.locks_are_sessions) {
        advisory::read(all, told);
        return {};
    }
    const sql::request* const alone = one_row::only_one(all);
    if (!alone || one_row::read(*alone, told)) return {};
    return {one_row::statement_for_missed(*alone, of.table, *sql::fence_base(of.facts.timeline), label)};
}

sql::statement dialect::wake(const std::vector<std::int64_t>& groups, const sql::server& of) const {
    return postgresql::wake(groups, of.table);
}

sql::statements dialect::purge(const sql::server& of) const { return {postgresql::purge(of.table)}; }

sql::statement dialect::look(std::string_view full_key) const {
    const std::size_t group = sql::wake_bucket(full_key);
    return at_.locks_are_sessions ? advisory::look(full_key, group) : postgresql::look(full_key, group);
}

void dialect::read_look(const sql::answer::row& row, node_key_report& told) const {
    at_.locks_are_sessions ? advisory::read_look(row, told) : sql::dialect::read_look(row, told);
}

sql::statement dialect::is_current(std::string_view full_key, std::int64_t fencing_token) const {
    return postgresql::is_current(full_key, fencing_token);
}

sql::statement dialect::take_away(std::string_view full_key, std::string_view token) const {
    return postgresql::take_away(full_key, token);
}

sql::statement dialect::list(std::string_view from, std::string_view end, std::size_t most) const {
    return postgresql::list(from, end, most);
}

sql::statement dialect::state(const sql::server&) const { return postgresql::state(at_.locks_are_sessions); }

std::vector<std::string> dialect::rights() const {
    return {"GRANT SELECT ON redlock", "GRANT INSERT ON redlock", "GRANT UPDATE ON redlock",
            "GRANT DELETE ON redlock", "GRANT USAGE ON SEQUENCE redlock_fence"};
}

std::string dialect::identity_of(const sql::server& s) const {
    return fmt::format("timeline {}", s.facts.timeline);
}

} // namespace redlock::postgresql
