#pragma once

#include "engines/sql/session/handshake.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::mariadb {

/// As `sql::handshake` has it: also notes the server in the table, so that an era of fencing tokens begins
/// when another takes over. Where the user may not do what that takes, it finds out what all he may not. A
/// session goes by a name that no other ever has, by which the next one finds what is left of it.
class handshake final : public sql::handshake {
public:
    /// `before` is the server of the connection before, if there was one.
    handshake(const std::optional<sql::server>& before, std::string session_name)
        : before_(before), session_name_(std::move(session_name)) {}

    step begin(core::nanoseconds patience) override;
    step answered(const std::vector<sql::answer>& all) override;
    const sql::server& found() const noexcept override { return found_; }

private:
    enum class phase : std::uint8_t { greeting, creating, looking, seeking, ending, noting, probing };

    step send(phase next, sql::statements all);
    step failed(const sql::answer& failure);
    step greeted(const std::vector<sql::answer>& told);
    step go_on_with_table(bool is_there);
    step sought(const sql::answer& told);
    step note();
    step noted(const sql::answer& told);
    step probe();
    step probed(bool forbidden);

    const std::optional<sql::server> before_;
    const std::string session_name_;
    sql::server found_;
    std::string identity_; ///< of the server
    core::nanoseconds patience_{};
    phase phase_ = phase::greeting;
    bool created_ = false;
    unsigned looks_ = 0;  ///< at what is to end
    unsigned waits_ = 0;  ///< for others who make the table, or note the server
    std::string refusal_; ///< for want of rights
    std::vector<std::string> missing_rights_;
    std::size_t probes_ = 0; ///< that were answered
};

/// Whether a version is one of MySQL rather than MariaDB.
bool is_mysql(std::string_view version) noexcept;

/// What an error of the server means for those who asked; `held` where somebody has rows that are wanted, or
/// wants those that one has.
errc meaning_of(const sql::answer& failed) noexcept;

} // namespace redlock::mariadb
