#pragma once

#include "engines/redis/dialect/commands.hpp"
#include "engines/redis/dialect/encoded_command.hpp"
#include "engines/redis/dialect/server_dialect.hpp"
#include "engines/redis/quorum/claim.hpp"

#include <cassert>
#include <chrono>
#include <cstddef>
#include <span>
#include <string_view>

namespace redlock::redis {

/// What is done to the keys of several claims at once. Of claims whose value on the nodes may be another than
/// at first it knows nothing.
class joint_command : public encoded_command {
public:
    /// A server does nothing else meanwhile: with more, others would notice.
    static constexpr std::size_t most_keys = 32;

protected:
    joint_command(encoder& by, std::span<const claim* const> claims) noexcept
        : encoded_command(by), claims_(claims) {
        assert(claims.size() <= most_keys);
    }
    /// Unless it is put in that form already. `last` follows the tokens; nothing where it is empty.
    command_form put_script(command_form form, std::string_view last);
    /// Likewise, with the names of those who read behind the keys.
    command_form put_script_with_readers(command_form form, std::string_view last);

    const std::span<const claim* const> claims_;
};

/// Deletes the keys, each if it is the claim's.
class joint_release_command final : public joint_command {
public:
    joint_release_command(encoder& by, std::span<const claim* const> claims) noexcept
        : joint_command(by, claims) {}
    command_form put_for(const server_dialect& d) { return put_script(d.run(script::release_several), {}); }
};

/// Enters among those who read each of the keys, unless somebody writes it.
class joint_read_command final : public joint_command {
public:
    joint_read_command(encoder& by, std::span<const claim* const> claims,
                       std::chrono::milliseconds life) noexcept
        : joint_command(by, claims), life_(life) {}
    command_form put_for(const server_dialect& d);

private:
    const std::chrono::milliseconds life_;
};

/// Extends the keys, each if it is the claim's, and puts back those that are missing. Not of claims with
/// fencing.
class joint_extend_command final : public joint_command {
public:
    joint_extend_command(encoder& by, std::span<const claim* const> claims,
                         std::chrono::milliseconds life) noexcept
        : joint_command(by, claims), life_(life) {}
    command_form put_for(const server_dialect& d);

private:
    const std::chrono::milliseconds life_;
};

/// Raises the fences of the keys, each if that is the claim's, by at least one, and to the mark. Of claims
/// that do not read, and are noted as retold.
class joint_advance_command final : public joint_command {
public:
    joint_advance_command(encoder& by, std::span<const claim* const> claims, const fence_mark& fence) noexcept
        : joint_command(by, claims), fence_(fence) {}
    command_form put_for(const server_dialect& d);

private:
    const fence_mark fence_;
};

} // namespace redlock::redis
