#pragma once

#include "engines/redis/dialect/joint_commands.hpp"
#include "engines/redis/dialect/server_dialect.hpp"
#include "engines/redis/dialect/server_error.hpp"
#include "engines/redis/resp/reply.hpp"

#include <redlock/leader_info.hpp>

#include <array>
#include <bitset>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace redlock::redis {

// What the replies to the commands of commands.hpp say, whatever a server sends: there is nothing among it
// that is no answer. Texts are views into the reply.
//
// `unknown_form`, of commands that have several: the server does not take the one that it was sent, and the
// command can be sent again in another (see server_dialect). What stands before it among the kinds says that
// the server did what it was told.

/// An answer to a command that has several forms: of which kind it is, and the reply, which must outlive it.
/// Its texts are read only where they are asked for, so that it takes two registers: there are ten of them to
/// a lock.
template <class Kind>
class formed_answer {
public:
    using kind = Kind;

    formed_answer(Kind k, const resp::reply& reply) noexcept : what(k), reply_(&reply) {}

    Kind what;
    /// Of `error` and `unknown_form`.
    server_error error() const noexcept;

protected:
    const resp::reply* reply_;
};

enum class kind_of_set : std::uint8_t {
    granted, ///< the key was free, and is ours
    held,
    unknown_form,
    error
};

/// To `set_command`.
class set_answer : public formed_answer<kind_of_set> {
public:
    using formed_answer::formed_answer;
    /// Of `held`: the value of the key; empty where the server does not say it.
    std::string_view holder() const noexcept {
        return reply_->is(resp::kind::array) ? reply_->first().next().next().text() : reply_->text();
    }
};

enum class kind_of_release : std::uint8_t { deleted, not_ours, unknown_form, error };

/// To `release_command` and `remove_command`.
using release_answer = formed_answer<kind_of_release>;

/// To `joint_release_command`.
struct joint_release_answer {
    enum class kind : std::uint8_t { done, unknown_form, error };
    kind what;
    /// Of `done`: whether the key of that number, from 0 on, was deleted.
    bool deleted(unsigned key) const noexcept { return !not_ours.test(key); }

    std::bitset<joint_command::most_keys> not_ours{};
    server_error error{}; ///< no words where it was none
};

enum class kind_of_extension : std::uint8_t {
    extended,
    put_back, ///< it was missing
    not_ours,
    others_read, ///< it is ours for writing, and extended, but that counts for nothing
    unknown_form,
    error
};

/// To `joint_read_command`. Refers to the reply.
struct joint_read_answer {
    enum class kind : std::uint8_t { done, unknown_form, error };
    kind what;
    /// Of `done`: whether somebody writes the key of that number, from 0 on.
    bool held(unsigned key) const noexcept { return written.test(key); }
    /// Then: the value of the key; empty where the server does not say it.
    std::string_view holder(unsigned key) const noexcept;

    std::bitset<joint_command::most_keys> written{};
    const resp::reply* whole = nullptr;
    server_error error{}; ///< no words where it was none
};

/// To `joint_extend_command`.
struct joint_extend_answer {
    enum class kind : std::uint8_t { done, unknown_form, error };
    kind what;
    /// Of `done`: what became of the key of that number, from 0 on.
    kind_of_extension of(unsigned key) const noexcept {
        if (not_ours.test(key)) return kind_of_extension::not_ours;
        return put_back.test(key) ? kind_of_extension::put_back : kind_of_extension::extended;
    }

    std::bitset<joint_command::most_keys> not_ours{};
    std::bitset<joint_command::most_keys> put_back{};
    server_error error{}; ///< no words where it was none
};

/// To `clear_command`.
enum class clear_answer : std::uint8_t { clear, others_read, not_ours, missing, unknown_form, error };
/// Of `others_read`: until the last of them ends, at most a day: nobody waits for longer without asking.
std::chrono::milliseconds time_of_readers(const resp::reply& reply) noexcept;

/// To `extend_command`; to `downgrade_command`, where `extended` says that it has entered.
using extend_answer = formed_answer<kind_of_extension>;

enum class kind_of_advance : std::uint8_t {
    raised,
    too_high, ///< above the highest fence that there can be: that of a broken or hostile server
    not_ours,
    unknown_form,
    error
};

/// To `advance_fence_command`.
class advance_answer : public formed_answer<kind_of_advance> {
public:
    using formed_answer::formed_answer;
    /// Of `raised`: what it was raised to.
    std::uint64_t fence() const noexcept { return static_cast<std::uint64_t>(reply_->integer()); }
};

/// To `joint_advance_command`.
struct joint_advance_answer {
    enum class kind : std::uint8_t { done, unknown_form, error };
    kind what;
    /// Of `done`, about the key of that number, from 0 on: `error` where its own command says more.
    kind_of_advance of(unsigned key) const noexcept;
    /// Of one that was raised: what to.
    std::uint64_t fence(unsigned key) const noexcept { return static_cast<std::uint64_t>(numbers[key]); }

    std::array<std::int64_t, joint_command::most_keys> numbers{}; ///< as they were answered
    server_error error{};                                         ///< no words where it was none
};

/// To `raise_fence_command`.
enum class raise_answer : std::uint8_t {
    raised,
    not_raised, ///< it was as high before, or the server would not do it now
    cannot      ///< the server does not know how to, or the user must not: it will say so again
};

/// To `life_command`.
struct life_answer {
    enum class kind : std::uint8_t {
        no_key,
        endless, ///< there is a key, which does not run out
        limited, ///< it runs out in `left`
        error    ///< or what says nothing of a key
    };
    kind what;
    std::chrono::milliseconds left{0}; ///< up to 2^53 ms
    server_error error{};              ///< no words where it was none
};

/// To `value_command`.
struct value_answer {
    enum class kind : std::uint8_t {
        none, ///< no key, or a reply that is no value
        value,
        error
    };
    kind what;
    std::string_view value{};
    server_error error{};
};

/// To `fence_command`.
struct fence_answer {
    enum class kind : std::uint8_t {
        none, ///< no fence, or one that cannot be
        fence,
        error
    };
    kind what;
    std::uint64_t fence = 0;
    server_error error{};
};

/// To `readers_command`. Of an error, and of whatever is no answer, there are none.
struct readers_answer {
    struct entry {
        std::string_view value;
        std::chrono::milliseconds left; ///< up to 2^53 ms
    };
    static constexpr std::size_t most = 64;

    bool is_told = false;
    bool unknown_form = false;
    bool are_more = false; ///< than there are here
    std::vector<entry> entries{};
};

/// To `proclaim_command`.
enum class proclaim_answer : std::uint8_t { done, not_ours, unknown_form, error };

/// To `leader_command`.
struct leader_answer {
    enum class kind : std::uint8_t {
        none, ///< nobody has proclaimed anything
        leader,
        error ///< also what no leader of this library has written
    };
    kind what;
    leader_mark mark{};       ///< with a term and a version that there can be
    std::string_view value{}; ///< of up to `max_leader_value_size` bytes
    server_error error{};
};

/// Of the script for one who is to read.
bool grants_reading(const resp::reply& reply) noexcept;

// Inline, for there are ten of these two to a lock.

/// Whether `read_set` says that it is granted: for whoever hands the rest to another.
inline bool grants(command_form sent, const resp::reply& reply) noexcept {
    // With GET, an OK is the value of a key that somebody else has.
    if (is_script(sent)) [[unlikely]]
        return grants_reading(reply);
    return sent == command_form::set_returning_holder ? reply.is(resp::kind::null) : reply.is_ok();
}

inline set_answer read_set(command_form sent, const resp::reply& reply) noexcept {
    using kind = set_answer::kind;
    if (grants(sent, reply)) return {kind::granted, reply};
    if (!reply.is(resp::kind::error)) return {kind::held, reply};
    return {lacks_form(sent, reply.text()) ? kind::unknown_form : kind::error, reply};
}

inline release_answer read_release(command_form sent, const resp::reply& reply) noexcept {
    using kind = release_answer::kind;
    if (!reply.is(resp::kind::error)) [[likely]]
        return {reply.integer() == 1 || reply.integer() == 2 ? kind::deleted : kind::not_ours, reply};
    return {lacks_form(sent, reply.text()) ? kind::unknown_form : kind::error, reply};
}

/// Of a command for so many keys.
joint_release_answer read_joint_release(command_form sent, const resp::reply& reply, unsigned keys) noexcept;
joint_read_answer read_joint_read(command_form sent, const resp::reply& reply, unsigned keys) noexcept;
joint_extend_answer read_joint_extend(command_form sent, const resp::reply& reply, unsigned keys) noexcept;
extend_answer read_extend(command_form sent, const resp::reply& reply) noexcept;
/// Of a reply that is an error.
server_error read_error(const resp::reply& reply) noexcept;
readers_answer read_readers(command_form sent, const resp::reply& reply);
clear_answer read_clear(command_form sent, const resp::reply& reply) noexcept;
advance_answer read_advance(command_form sent, const resp::reply& reply) noexcept;
joint_advance_answer read_joint_advance(command_form sent, const resp::reply& reply, unsigned keys) noexcept;
raise_answer read_raise(const resp::reply& reply) noexcept;
life_answer read_life(const resp::reply& reply) noexcept;
value_answer read_value(const resp::reply& reply) noexcept;
fence_answer read_fence(const resp::reply& reply) noexcept;
proclaim_answer read_proclaim(command_form sent, const resp::reply& reply) noexcept;
leader_answer read_leader(const resp::reply& reply) noexcept;
/// To `listeners_command`: nothing where the reply does not say how many.
std::optional<std::uint32_t> read_listeners(const resp::reply& reply) noexcept;

} // namespace redlock::redis
