#pragma once

#include "engines/redis/dialect/joint_commands.hpp"
#include "engines/redis/dialect/session.hpp"
#include "engines/redis/quorum/settings.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

namespace redlock::redis {

class acquire_round;
class fence_round;
class release;
class renew_round;

// What may go to the nodes as one command for several keys, see `joint_round`.

struct joint_releases {
    using member = release;
    using command = joint_release_command;
    using answer = joint_release_answer;
    /// Goes to nodes that are late as well.
    static constexpr bool is_cleanup = true;
    /// As one command, where the server lacks the script: nothing can have happened to the keys since.
    static constexpr bool is_sent_again = true;

    static command made(encoder& by, std::span<const claim* const> claims, std::span<member* const>) {
        return {by, claims};
    }
    static const claim* claim_of(const member& m) noexcept;
    /// So many of a turn go as one command.
    static std::size_t joins_from(const settings& s) noexcept { return s.joins_from; }
    static bool are_taken_by(const session& s) noexcept { return s.joins_releases(); }
    static void are_not_taken_by(session& s) noexcept { s.cannot_join_releases(); }
    static answer read(session& s, reply_tag tag, const resp::reply& reply, unsigned keys) noexcept {
        return s.answer_to_joint_release(tag, reply, keys);
    }
    /// Nobody wants it any more, and it has gone.
    static bool is_gone(member&) noexcept { return false; }
    /// Whether both can go together.
    static bool are_alike(const member&, const member&) noexcept { return true; }
    static void share(member& m, std::uint32_t node, const answer& said, unsigned number);
};

struct joint_reads {
    using member = acquire_round;
    using command = joint_read_command;
    using answer = joint_read_answer;
    static constexpr bool is_cleanup = false;
    /// Some may not want to read any more.
    static constexpr bool is_sent_again = false;

    static command made(encoder& by, std::span<const claim* const> claims, std::span<member* const> members);
    static const claim* claim_of(const member& m) noexcept;
    static std::size_t joins_from(const settings& s) noexcept { return s.joins_from; }
    static bool are_taken_by(const session& s) noexcept { return s.joins_reads(); }
    static void are_not_taken_by(session& s) noexcept { s.cannot_join_reads(); }
    static answer read(session& s, reply_tag tag, const resp::reply& reply, unsigned keys) noexcept {
        return s.answer_to_joint_read(tag, reply, keys);
    }
    static bool is_gone(member& m) noexcept;
    static bool are_alike(const member& one, const member& other) noexcept;
    static void share(member& m, std::uint32_t node, const answer& said, unsigned number);
};

struct joint_renewals {
    using member = renew_round;
    using command = joint_extend_command;
    using answer = joint_extend_answer;
    static constexpr bool is_cleanup = false;
    /// Some of the keys may have been released since.
    static constexpr bool is_sent_again = false;

    static command made(encoder& by, std::span<const claim* const> claims, std::span<member* const> members);
    static const claim* claim_of(const member& m) noexcept;
    static std::size_t joins_from(const settings& s) noexcept { return s.joins_from; }
    static bool are_taken_by(const session& s) noexcept { return s.joins_renewals(); }
    static void are_not_taken_by(session& s) noexcept { s.cannot_join_renewals(); }
    static answer read(session& s, reply_tag tag, const resp::reply& reply, unsigned keys) noexcept {
        return s.answer_to_joint_extend(tag, reply, keys);
    }
    static bool is_gone(member& m) noexcept;
    static bool are_alike(const member& one, const member& other) noexcept;
    static void share(member& m, std::uint32_t node, const answer& said, unsigned number);
};

/// Of fences.
struct joint_advances {
    using member = fence_round;
    using command = joint_advance_command;
    using answer = joint_advance_answer;
    static constexpr bool is_cleanup = false;
    /// Some may not want the token any more.
    static constexpr bool is_sent_again = false;

    static command made(encoder& by, std::span<const claim* const> claims, std::span<member* const> members);
    static const claim* claim_of(const member& m) noexcept;
    static std::size_t joins_from(const settings& s) noexcept { return s.joins_advances_from; }
    static bool are_taken_by(const session& s) noexcept { return s.joins_advances(); }
    static void are_not_taken_by(session& s) noexcept { s.cannot_join_advances(); }
    static answer read(session& s, reply_tag tag, const resp::reply& reply, unsigned keys) noexcept {
        return s.answer_to_joint_advance(tag, reply, keys);
    }
    static bool is_gone(member& m) noexcept;
    static bool are_alike(const member&, const member&) noexcept { return true; }
    static void share(member& m, std::uint32_t node, const answer& said, unsigned number);
};

} // namespace redlock::redis
