#pragma once

#include "engines/redis/resp/reply.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace redlock::redis {

/// What an out-of-band message of a server says of a key. The texts are views into the message.
struct key_change {
    enum class kind {
        gone,    ///< deleted, expired or evicted: the key is free there
        written, ///< somebody has put it there
        dated,   ///< it is there, and runs out at another time than before
        changed  ///< any of the three: to be looked at
    };
    kind what;
    std::string_view key;
};

/// The channel on which a server publishes what happens to a key (redis.io, "Redis keyspace notifications").
std::string keyspace_channel(unsigned database, std::string_view key);

/// Reads a message of a keyspace channel of `database`; nothing when it is of any other kind, or tells of an
/// event that leaves the key where it is.
std::optional<key_change> read_keyspace_event(const resp::reply& message, unsigned database);

/// Reads an invalidation of `CLIENT TRACKING` and calls `each(key)` for the keys in it. False when it is
/// none; a flush of all keys is one of the key with an empty name.
template <class Each>
bool read_invalidation(const resp::reply& message, Each each) {
    const resp::reply name = message.first();
    if (name.text() != "invalidate") return false;
    const resp::reply keys = name.next();
    if (!keys.is(resp::kind::array)) each(std::string_view());
    for (resp::reply key = keys.first(); !key.end(); key = key.next())
        each(key.text());
    return true;
}

} // namespace redlock::redis
