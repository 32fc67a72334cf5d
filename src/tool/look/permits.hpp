#pragma once

#include "look/key_table.hpp"

#include <redlock/client.hpp>

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace redlock::tool {

/// What `--permits` may say.
inline constexpr std::uint64_t most_permits = 64;

/// The keys of so many permits of a key; of a single one, the key itself.
std::vector<std::string> permit_keys(const std::string& key, std::uint64_t permits);

/// Looks at each, one after another, and says so on a terminal where that takes long.
boost::asio::awaitable<permit_looks> look_at(client& locks, std::string key, std::uint64_t permits);

/// Whether every node answered each of them.
bool have_all_answered(const permit_looks& looks) noexcept;

} // namespace redlock::tool
