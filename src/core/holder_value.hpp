#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace redlock::core {

/// Bytes of a label, at most (`config::holder_label`).
inline constexpr std::size_t longest_label = 64;

/// What stands in the value of a key: the token of its holder, behind it the fencing token, and behind that,
/// for people, who the holder is: `token`, `token:fence`, `token:fence:label` or `token::label`. Only the
/// token counts; views into the value.
struct holder_value {
    std::string_view token;
    std::optional<std::uint64_t> fencing_token{};
    std::string_view label{};
};

/// Of a value with a token of so many bytes. One that is made up in another way, by another library perhaps,
/// is nothing but a token.
holder_value read_holder_value(std::string_view value, std::size_t token_size) noexcept;

/// What comes behind the token, or behind the fencing token, of a holder with this label; empty without one.
std::string label_ending(std::string_view label, bool behind_fencing_token);

/// Of a value that a server has sent, to be shown: printable, and no longer than a label may be. Empty where
/// there is none.
std::string label_of(std::string_view value, std::size_t token_size);

} // namespace redlock::core
