#pragma once

#include "engines/sql/answer.hpp"
#include "engines/sql/session/batch.hpp"
#include "engines/sql/session/handshake.hpp"
#include "engines/sql/session/link.hpp"
#include "engines/sql/session/session.hpp"
#include "engines/sql/wakes.hpp"
#include "turn/turns.hpp"

#include <redlock/error.hpp>
#include <redlock/key_report.hpp>
#include <redlock/node_examination.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::sql {

class table_session;

/// One database of one kind: how to get to it, what is said to it, and what it means by its answers.
/// Statements of all kinds are answered in one form, which stands beside each.
class dialect {
public:
    virtual ~dialect() = default;

    virtual const address& where() const noexcept = 0;
    /// As reports call it: `postgresql`.
    virtual std::string_view product() const noexcept = 0;
    /// Likewise, and what its locks are, where that is no row.
    virtual std::string_view engine_name() const noexcept { return product(); }

    virtual std::shared_ptr<link> make_link(const strand& on, turn::turns& t, link_listener& told) const = 0;
    /// `before` is the server of the connection before, if there was one.
    virtual std::unique_ptr<handshake> greet(const std::optional<server>& before) const = 0;
    virtual std::unique_ptr<wakes> make_wakes(const strand& on, turn::turns& t, const session_settings& s,
                                              table_session& table) const = 0;

    virtual errc meaning_of(const answer& failed) const noexcept = 0;

    /// In the order of `request::kind`, of each kind that the batch has, as `batch::read` takes the answers.
    virtual statements transaction(const batch& all, const server& of,
                                   const std::optional<std::string>& label) const = 0;
    /// Of the answers to that, of which none need be: what is sent before they are read, whose own answers
    /// take their place. Where nothing is, they have the form that `batch::read` takes afterwards.
    virtual statements rest(const batch&, std::vector<answer>& /*told*/, const server&,
                            const std::optional<std::string>& /*label*/) const {
        return {};
    }
    /// Whether the commit of a batch that `is_unwaited` does not wait for the disk.
    virtual bool leaves_unwaited() const noexcept { return false; }
    /// Behind it: tells other clients that keys of these groups may be free. Not called where releases say of
    /// nothing that somebody waits for it.
    virtual statement wake(const std::vector<std::int64_t>& groups, const server& of) const = 0;
    /// Deletes rows of keys that nobody has had for a minute, a bounded number.
    virtual statements purge(const server& of) const = 0;

    /// Token, milliseconds that are left, fencing token, how many wait, label; each may be NULL.
    virtual statement look(std::string_view full_key) const = 0;
    virtual void read_look(const answer::row& row, node_key_report& told) const;
    /// A row where the fencing token is that of whoever has the key.
    virtual statement is_current(std::string_view full_key, std::int64_t fencing_token) const = 0;
    /// A row where the key was that token's, which it is no more.
    virtual statement take_away(std::string_view full_key, std::string_view token) const = 0;
    /// Keys from `from` on and before `end`, `most` at most, in hexadecimal digits and the order of their
    /// bytes, and of each 1 where it is held.
    virtual statement list(std::string_view from, std::string_view end, std::size_t most) const = 0;

    /// Microseconds of its clock since 1970, seconds since its start, the setting that says when a commit is
    /// acknowledged, `on` where what is kept outlasts a crash, and for each of `rights` 0 where it is
    /// missing.
    virtual statement state(const server& of) const = 0;
    /// What grants them.
    virtual std::vector<std::string> rights() const = 0;
    /// Where `state` does not tell of them: for each of `rights` a statement that changes nothing, and fails
    /// where it is missing.
    virtual statements probes_of_rights() const { return {}; }
    /// What tells the server from others that may stand behind the same name.
    virtual std::string identity_of(const server& s) const = 0;
};

} // namespace redlock::sql
