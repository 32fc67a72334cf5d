#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace redlock::node {

/// A Redis Cluster deals all keys out to this many slots, and these to its masters ("Redis cluster
/// specification", redis.io, "Key distribution model").
constexpr unsigned hash_slots = 16'384;

/// What of a key its slot depends on: what stands between the first `{` and the first `}` after that, unless
/// it is nothing, and else the whole key ("Hash tags" there).
std::string_view hash_tag(std::string_view key) noexcept;

std::uint16_t hash_slot(std::string_view key) noexcept;

/// A name in the slot of `key` for what stands beside it: the key and `suffix`, with the key in braces where
/// it has no tag. A key that braces do not hold together gets the tag of a number in front. The same for
/// every client. Throws std::bad_alloc.
///
/// A key that is nothing but another one in braces has the same name beside it as that one.
void name_beside(std::string& name, std::string_view key, std::string_view suffix);

/// The key beside which something with this name stands; of two, the one without braces.
std::string_view key_beside(std::string_view name, std::string_view suffix);

} // namespace redlock::node
