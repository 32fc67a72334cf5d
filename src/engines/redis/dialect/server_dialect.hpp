#pragma once

#include "engines/redis/dialect/command_form.hpp"
#include "engines/redis/dialect/scripts.hpp"
#include "engines/redis/node/server/server_info.hpp"

#include <cstdint>
#include <string_view>

namespace redlock::redis {

/// Whether an error in reply to a command says that the server does not take this form of it, so that the
/// command is to be sent again in another. Never of a form that has no other behind it: a script that was
/// sent by its text, the plain `SET`.
bool lacks_form(command_form sent, std::string_view error) noexcept;

/// Which commands one server is known to take: for each, the form in which it is sent next. What a server
/// cannot do is found out by its answers, which are told here; a command that is then sent again goes in the
/// last of its forms, so no command goes twice again.
class server_dialect {
    static constexpr unsigned bit(script s) noexcept { return 1u << static_cast<unsigned>(s); }

public:
    /// A new connection: the server may be another one.
    void meet(const node::server_info& server) noexcept;

    /// `SET` with NX and GET needs Redis 7.
    command_form set() const noexcept {
        return set_returns_holder_ ? command_form::set_returning_holder : command_form::plain_set;
    }
    /// `DELEX` (Redis 8.4) and `DELIFEQ` (Valkey 9), else the script.
    command_form release() const noexcept {
        return native_release_ != command_form::only ? native_release_ : run(script::release);
    }
    /// By its hash once the server has it.
    command_form run(script s) const noexcept { return (scripts_ & bit(s)) != 0 ? by_hash(s) : by_text(s); }
    /// False since the server said that it cannot, or must not for this user: `ZADD` with GT needs Redis 6.2.
    bool raises_fences() const noexcept { return raises_fences_; }
    /// Whether several releases had better go as one command: not where the server has one of its own, which
    /// costs it less, nor where it has said that it cannot, or must not for this user.
    bool joins_releases() const noexcept { return native_release_ == command_form::only && joins_releases_; }
    void cannot_join_releases() noexcept { joins_releases_ = false; }
    /// Likewise several who want to read.
    bool joins_reads() const noexcept { return joins_reads_; }
    void cannot_join_reads() noexcept { joins_reads_ = false; }
    /// Likewise several renewals, of which no server has a command of its own.
    bool joins_renewals() const noexcept { return joins_renewals_; }
    void cannot_join_renewals() noexcept { joins_renewals_ = false; }
    /// Likewise several new fencing tokens.
    bool joins_advances() const noexcept { return joins_advances_; }
    void cannot_join_advances() noexcept { joins_advances_ = false; }
    /// Whether what stands beside a key has to have its hash tag: the server is one of a cluster.
    bool tags_keys() const noexcept { return tags_keys_; }
    /// Of the server's keyspace channels.
    unsigned database() const noexcept { return database_; }

    /// Whether both servers take what goes to all of them alike, `SET` and the release of one key, in the
    /// same forms.
    bool is_like(const server_dialect& other) const noexcept {
        constexpr unsigned releases = bit(script::release) | bit(script::release_retold) | bit(script::queue);
        return ((scripts_ ^ other.scripts_) & releases) == 0 && tags_keys_ == other.tags_keys_ &&
               set_returns_holder_ == other.set_returns_holder_ && native_release_ == other.native_release_;
    }

    /// The server did what it was told in this form. Of a cluster it was one of the servers: what each of
    /// them has is not known, and a script that is missing would be sent again behind what came after it.
    void takes(command_form form) noexcept {
        if (is_script(form) && !tags_keys_) scripts_ |= bit(script_of(form));
    }
    /// It said that it does not take this form.
    void lacks(command_form form) noexcept;

private:
    unsigned scripts_ = 0; ///< one bit for each that the server is known to have
    bool set_returns_holder_ = true;
    bool raises_fences_ = true;
    bool joins_releases_ = true;
    bool joins_reads_ = true;
    bool joins_renewals_ = true;
    bool joins_advances_ = true;
    bool tags_keys_ = false;
    command_form native_release_ = command_form::only; ///< which says that there is none
    unsigned database_ = 0;
};

} // namespace redlock::redis
