#pragma once

#include "core/entropy.hpp"
#include "engines/sql/dialect.hpp"
#include "engines/sql/mariadb/session/address.hpp"

#include <utility>

namespace redlock::mariadb {

/// A database of MariaDB or MySQL.
class dialect final : public sql::dialect {
public:
    dialect(address at, core::entropy& random_bits) : at_(std::move(at)), entropy_(random_bits) {}

    const sql::address& where() const noexcept override { return at_; }
    std::string_view product() const noexcept override { return "mariadb"; }
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
    sql::statement wake(const std::vector<std::int64_t>&, const sql::server&) const override { return {}; }
    sql::statements purge(const sql::server& of) const override;
    sql::statement look(std::string_view full_key) const override;
    sql::statement is_current(std::string_view full_key, std::int64_t fencing_token) const override;
    sql::statement take_away(std::string_view full_key, std::string_view token) const override;
    sql::statement list(std::string_view from, std::string_view end, std::size_t most) const override;
    sql::statement state(const sql::server& of) const override;
    std::vector<std::string> rights() const override;
    sql::statements probes_of_rights() const override;
    std::string identity_of(const sql::server& s) const override;

private:
    const address at_;
    core::entropy& entropy_;
};

} // namespace redlock::mariadb
