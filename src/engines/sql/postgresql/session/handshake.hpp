#pragma once

#include "engines/sql/answer.hpp"
#include "engines/sql/postgresql/session/statements.hpp"
#include "engines/sql/session/handshake.hpp"

#include <redlock/error.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace redlock::postgresql {

/// As `sql::handshake` has it: also notes the timeline in the table, to know it when another server takes
/// over.
class handshake final : public sql::handshake {
public:
    /// `before` is the server of the connection before, if there was one. `has_label`: the client wants one
    /// to stand in the rows, so room is made for it where that is missing and allowed.
    /// `locks_are_sessions`: there is no table, and no timeline to be noted in it; what stands for the table
    /// is the sequence.
    explicit handshake(const std::optional<sql::server>& before, bool has_label = false,
                       bool locks_are_sessions = false)
        : before_(before), has_label_(has_label), locks_are_sessions_(locks_are_sessions) {}

    step begin(core::nanoseconds patience) override;
    step answered(const std::vector<sql::answer>& all) override;
    const sql::server& found() const noexcept override { return found_; }

private:
    enum class phase : std::uint8_t { greeting, creating, looking, adding, preparing, noting, ending };

    step greeted(const sql::answer& told);
    step go_on_with_table();
    step prepare();
    step noted(const sql::answer& told);
    step end_before();
    step send(phase next, sql::statements all);
    step ended(const sql::answer& told);

    const std::optional<sql::server> before_;
    const bool has_label_;
    const bool locks_are_sessions_;
    bool may_add_labels_ = false; ///< to the table, which has none
    sql::server found_;
    core::nanoseconds patience_{};
    phase phase_ = phase::greeting;
    bool created_ = false;
    unsigned looks_ = 0; ///< at what is to end
};

/// What an error of the server means for those who asked.
errc meaning_of(const sql::answer& failed) noexcept;

} // namespace redlock::postgresql
