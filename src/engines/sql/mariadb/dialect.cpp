#include "engines/sql/mariadb/dialect.hpp"

#include "engines/sql/fence.hpp"
#include "engines/sql/mariadb/lookout.hpp"
#include "engines/sql/mariadb/session/connection.hpp"
#include "engines/sql/mariadb/session/handshake.hpp"
#include "engines/sql/mariadb/session/one_row.hpp"
#include "engines/sql/mariadb/session/rights.hpp"
#include "engines/sql/mariadb/session/statements.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace redlock::mariadb {

std::shared_ptr<sql::link> dialect::make_link(const sql::strand& on, turn::turns& t,
                                              sql::link_listener& told) const {
    return std::make_shared<connection>(on, t, at_, told);
}

std::unique_ptr<sql::handshake> dialect::greet(const std::optional<sql::server>& before) const {
    return std::make_unique<handshake>(
        before, fmt::format("redlock:{:016x}{:016x}", core::draw(entropy_), core::draw(entropy_)));
}

std::unique_ptr<sql::wakes> dialect::make_wakes(const sql::strand&, turn::turns& t,
                                                const sql::session_settings&,
                                                sql::table_session& table) const {
    return std::make_unique<lookout>(t, table);
}

errc dialect::meaning_of(const sql::answer& failed) const noexcept { return mariadb::meaning_of(failed); }

// The handshake has seen that the era fits.
sql::statements dialect::transaction(const sql::batch& all, const sql::server& of,
                                     const std::optional<std::string>& label) const {
    return mariadb::transaction(all, *sql::fence_base(of.facts.timeline), label.value_or(""),
                                is_mysql(of.version), of.keeps_prepared);
}

sql::statements dialect::rest(const sql::batch& all, std::vector<sql::answer>& told, const sql::server& of,
                              const std::optional<std::string>& label) const {
    const auto transaction = [&](owned o) {
        return transaction_for_many(all, *sql::fence_base(of.facts.timeline), label.value_or(""),
                                    is_mysql(of.version), o);
    };
    const sql::request* const alone = all.alone();
    const bool is_for_many = !alone || !one_row::fits(*alone);
    if (const auto failed = std::ranges::find_if(told, &sql::answer::failed); failed != told.end())
        return is_for_many && says_some_are_not_owned(all, *failed) ? transaction(owned::some)
                                                                    : sql::statements();
    if (is_for_many) {
        add_owned(all, told);
        return {};
    }
    if (alone->what != sql::request::kind::acquire || one_row::read_acquire(*alone, told)) return {};
    return transaction(owned::all);
}

sql::statements dialect::purge(const sql::server&) const { return mariadb::purge(); }

sql::statement dialect::look(std::string_view full_key) const { return mariadb::look(full_key); }

sql::statement dialect::is_current(std::string_view full_key, std::int64_t fencing_token) const {
    return mariadb::is_current(full_key, fencing_token);
}

sql::statement dialect::take_away(std::string_view full_key, std::string_view token) const {
    return mariadb::take_away(full_key, token);
}

sql::statement dialect::list(std::string_view from, std::string_view end, std::size_t most) const {
    return mariadb::list(from, end, most);
}

sql::statement dialect::state(const sql::server& of) const { return mariadb::state(is_mysql(of.version)); }

std::vector<std::string> dialect::rights() const {
    std::vector<std::string> all;
    for (const right& r : rights_to_table())
        all.emplace_back(r.rule);
    return all;
}

sql::statements dialect::probes_of_rights() const {
    sql::statements all;
    for (const right& r : rights_to_table())
        all.push_back({.text = r.probe});
    return all;
}

std::string dialect::identity_of(const sql::server& s) const {
    return fmt::format("era {}", s.facts.timeline);
}

} // namespace redlock::mariadb
