#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace redlock::mariadb {

/// What the first words of a server say before anything was said to it.
enum class greeting_kind : std::uint8_t {
    unfinished, ///< more must come
    encrypts,   ///< whoever connects may encrypt
    plain,      ///< there is no encryption, or nothing that could be understood
    refusal     ///< an error: there will be no login
};

/// Reads as much as is there of the first packet.
greeting_kind kind_of_greeting(std::span<const unsigned char> bytes) noexcept;

/// Where the words that matter end at the latest.
inline constexpr std::size_t longest_greeting = 512;

} // namespace redlock::mariadb
