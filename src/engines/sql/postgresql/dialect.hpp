#pragma once

#include "engines/sql/dialect.hpp"
#include "engines/sql/postgresql/session/address.hpp"

namespace redlock::postgresql {

/// A PostgreSQL database: its locks are rows, or advisory locks of a session where the address says so.
class dialect final : public sql::dialect {
public:
    /// `has_label`: the client wants one to stand in the rows.
    dialect(address at, bool has_label) : at_(std::move(at)), has_label_(has_label) {}

    const sql::address& where() const noexcept override { return at_; }
    std::string_view product() const noexcept override { return "postgresql"; }
    std::string_view engine_name() const noexcept override;
    std::shared_ptr<sql::link> make_link(const sql::strand& on, turn::turns& t,
                                         sql::link_listener& told) const override;
    std::unique_ptr<sql::handshake> greet(const std::optional<sql::server>& before) const override;
    std::unique_ptr<sql::wakes> make_wakes(const sql::strand& on, turn::turns& t,
                                           const sql::session_settings& s,
                                           sql::table_session& table) const override;
    errc meaning_of(const sql::answer& failed) const noexcept override;

    sql::statements transaction(const sql::batch& all, const sql::server& of,
                                const std::optional<std::string>& label) const override;
    sql::statements rest(const sql::batch& all, std::vector<sql::answer>& told, const sql::server& of,
                         const std::optional<std::string>& label) const override;
    sql::statement wake(const std::vector<std::int64_t>& groups, const sql::server& of) const override;
    sql::statements purge(const sql::server& of) const override;
    sql::statement look(std::string_view full_key) const override;
    void read_look(const sql::answer::row& row, node_key_report& told) const override;
    sql::statement is_current(std::string_view full_key, std::int64_t fencing_token) const override;
    sql::statement take_away(std::string_view full_key, std::string_view token) const override;
    sql::statement list(std::string_view from, std::string_view end, std::size_t most) const override;
    sql::statement state(const sql::server& of) const override;
    bool leaves_unwaited() const noexcept override { return !at_.locks_are_sessions; }
    std::vector<std::string> rights() const override;
    std::string identity_of(const sql::server& s) const override;

private:
    const address at_;
    const bool has_label_;
};

} // namespace redlock::postgresql
