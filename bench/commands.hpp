#pragma once

#include "engines/redis/node/server/server_info.hpp"
#include "wire_node.hpp"

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// What one caller sends in each of its cycles, byte for byte what the library sends.
struct caller_commands {
    std::string acquire;
    std::string release;
};

std::string encode(std::initializer_list<std::string_view> words);

/// Who is measured. Each side has keys of its own, of the same length: what one side wrote last may still be
/// under way to a slow node when the other begins.
enum class side { library, floor };

/// The key that a caller locks.
std::string key_of(side s, std::size_t caller);

/// Says HELLO and makes the release script known, so that replies come in the form in which the library gets
/// them. Returns what the server says of itself.
redlock::node::server_info prepare(wire_node& node);

/// What one locker of this key sends; `token` tells lockers apart.
caller_commands encode_for(std::string_view key, std::size_t token, const redlock::node::server_info& server);

/// The commands of this many callers on the side of the floor, each with a key and a token of its own, in the
/// form that the library uses with such a server.
std::vector<caller_commands> encode_for(std::size_t callers, const redlock::node::server_info& server);

} // namespace bench
