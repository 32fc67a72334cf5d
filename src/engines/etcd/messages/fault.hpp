#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace redlock::etcd::messages {

/// What a server may make us hold. A message with more in it is refused as a whole.
inline constexpr std::size_t longest_message = std::size_t{4} * 1024 * 1024;
inline constexpr std::size_t longest_key = 16'384; ///< of 4096 bytes that all have to be written in three
inline constexpr std::size_t longest_value = std::size_t{64} * 1024;
inline constexpr std::size_t longest_token = 4096;   ///< of a login
inline constexpr std::size_t longest_sentence = 256; ///< texts for people are cut there
inline constexpr std::size_t most_elements = 16'384; ///< keys, events, operations of one message together
inline constexpr std::size_t most_members = 64;
inline constexpr std::size_t most_urls = 16; ///< of one member
inline constexpr std::size_t deepest_transaction = 4;

/// What is wrong with a message.
enum class fault : std::uint8_t {
    none,
    malformed, ///< it ends too early, or has a length or a tag that cannot be
    message_too_long,
    key_too_long,
    value_too_long,
    token_too_long,
    too_many_elements,
    too_deep,
    number_out_of_range,
    unprintable_token
};

/// That, as the subject of a sentence, with the limit; empty for `none`. Static.
std::string_view describe(fault f) noexcept;

} // namespace redlock::etcd::messages
