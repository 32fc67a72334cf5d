#pragma once

#include "core/lock_token.hpp"
#include "core/queue/open_door.hpp"
#include "engines/redis/dialect/encoded_command.hpp"
#include "engines/redis/dialect/server_dialect.hpp"
#include "engines/redis/quorum/claim.hpp"
#include "engines/redis/resp/reply.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace redlock::redis {

// Standing in the queue of a node (docs/handover.md): the commands, and what the answers say.

/// The channel on which a client is told of its tokens.
std::string channel_of(std::string_view client_name);

/// `SUBSCRIBE` to that. One reply: the push that confirms it.
class hear_command final : public encoded_command {
public:
    static constexpr bool is_subscription = true;

    hear_command(encoder& by, const core::client_name& client) noexcept
        : encoded_command(by), client_(client) {}
    command_form put_for(const server_dialect&);

private:
    const core::client_name& client_;
};

/// What somebody who stands in a queue says of itself.
struct queue_entry {
    std::chrono::milliseconds life;      ///< that the key is to have, when it is handed over
    std::chrono::nanoseconds entered_at; ///< by the clock here; comes back with the key
    std::chrono::milliseconds believed;  ///< to be alive, if it says nothing more
    bool again;                          ///< the queue may have an entry of this token
    bool untold = false;                 ///< nobody can tell this client that it has the key
};

/// Enters the queue with the claim's token, or shows that it still stands there. Takes the key if that is
/// free and nobody is first, and prolongs it if it is the claim's.
class enter_queue_command final : public encoded_command {
public:
    enter_queue_command(encoder& by, const claim& c, const queue_entry& entry) noexcept
        : encoded_command(by), claim_(c), entry_(entry) {}
    command_form put_for(const server_dialect& d);

private:
    const claim& claim_;
    const queue_entry entry_;
};

/// To `enter_queue_command`; texts are views into the reply.
struct queue_answer {
    enum class kind : std::uint8_t {
        ours, ///< the key
        held,
        open,    ///< it is free for strangers, for a while
        useless, ///< it is free, and the server would hand it to nobody
        unknown_form,
        error
    };
    kind what;
    std::string_view holder{};
    std::string_view first_waiting{};      ///< for a key that is ours: its token; empty when nobody does
    std::chrono::milliseconds left{0};     ///< of the key's life; max where it does not run out
    std::chrono::microseconds open_for{0}; ///< from now on
    unsigned ahead = 0;                    ///< in the queue
    bool holder_told = false;              ///< that somebody waits
    bool cannot_tell = false;              ///< whose entry this is: anybody
    std::optional<core::stranger_sight> strangers{}; ///< of a door that is open, or was used
    std::string_view words{};                        ///< of an error
};
queue_answer read_queue(command_form sent, const resp::reply& reply) noexcept;

} // namespace redlock::redis
