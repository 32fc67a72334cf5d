#pragma once

#include "core/lock_token.hpp"
#include "core/queue/open_door.hpp"
#include "engines/redis/resp/reply.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace redlock::redis {

/// What a node tells a client of one of its tokens, on the client's channel. The texts are views into the
/// message.
struct token_news {
    enum class kind : std::uint8_t {
        handed, ///< the key to this token, which waited for it
        wanted, ///< somebody waits for the key that it has
        free    ///< the key for which it waits, for a moment: it was handed on for long enough
    };
    kind what;
    core::token_parts token;
    std::string_view key;
    std::optional<core::token_parts> first_waiting{}; ///< of those who wait for the key now
    // Of `handed`:
    std::chrono::nanoseconds entered_at{0};          ///< as the `queue_entry` had it
    std::chrono::milliseconds age{0};                ///< of that, by the clock of the node
    std::chrono::microseconds row{0};                ///< for so long it has been handed on
    std::optional<core::stranger_sight> strangers{}; ///< as far as some were seen
    std::string_view released{}; ///< the token that gave the key back; empty when it was free
};

/// Nothing when the message is of any other kind.
std::optional<token_news> read_token_news(const resp::reply& message) noexcept;

} // namespace redlock::redis
