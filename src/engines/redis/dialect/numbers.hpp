#pragma once

#include "core/quorum/fence_rule.hpp"
#include "engines/redis/resp/reply.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

namespace redlock::redis {

// What servers say in numbers, within bounds in which it can be reckoned with.

/// What a reply to `PTTL` says: −2 where there is no key, −1 where it never runs out, else up to 2^53 ms, the
/// longest life that a lock can be given.
inline std::chrono::milliseconds life_in(const resp::reply& reply) noexcept {
    return std::chrono::milliseconds(std::clamp<std::int64_t>(reply.integer(), -2, std::int64_t{1} << 53));
}

/// What a reply to `ZSCORE` says of a fence; nothing when that cannot be one. A score is a number of its own
/// kind in RESP3, and text in RESP2.
inline std::optional<std::uint64_t> fence_in(const resp::reply& reply) noexcept {
    constexpr auto most = static_cast<double>(core::highest_fence);
    if (reply.is(resp::kind::real)) {
        if (!(reply.real() >= 0 && reply.real() <= most)) return std::nullopt; // nor is it NaN
        return static_cast<std::uint64_t>(reply.real());
    }
    const std::string_view text = reply.text();
    std::uint64_t found = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), found);
    return error == std::errc() && found <= core::highest_fence ? std::optional(found) : std::nullopt;
}

/// The number behind a name, as `PUBSUB NUMSUB` gives for one channel; nothing when there is none.
inline std::optional<std::uint32_t> count_in(const resp::reply& reply) noexcept {
    const resp::reply number = reply.first().next();
    if (!number.is(resp::kind::integer) || number.integer() < 0) return std::nullopt;
    return static_cast<std::uint32_t>(std::min<std::int64_t>(number.integer(), UINT32_MAX));
}

} // namespace redlock::redis
