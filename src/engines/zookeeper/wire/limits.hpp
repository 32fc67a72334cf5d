#pragma once

#include <cstddef>

namespace redlock::zookeeper {

/// Of a packet to a server: its own default (`jute.maxbuffer`).
inline constexpr std::size_t largest_request = (std::size_t{1} << 20) - 1024;
/// Of a packet from a server: the names of some ten thousand keys or waiting clients.
inline constexpr std::size_t largest_reply = std::size_t{4} << 20;
inline constexpr std::size_t longest_path = std::size_t{16} << 10;
/// What is written in a node: a leader's value, with what stands before it.
inline constexpr std::size_t longest_data = 4096 + 64;
inline constexpr std::size_t longest_password = 64;
inline constexpr std::size_t most_children = 100'000;
/// Of one multi, which is one transaction.
inline constexpr std::size_t most_operations = 64;

} // namespace redlock::zookeeper
