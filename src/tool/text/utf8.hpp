#pragma once

#include <cstddef>
#include <string_view>

namespace redlock::tool {

/// What stands at the beginning of a text in UTF-8.
struct utf8_piece {
    std::string_view bytes{}; ///< of the character; one byte where there is none
    char32_t code = 0;
    bool valid = false; ///< whether it is a character; overlong forms and surrogates are none
};

/// The first piece of a text, which is not empty.
utf8_piece first_piece(std::string_view text) noexcept;

/// Whether it does something to the text around it rather than stand there: control characters, those of zero
/// width, and those that turn the direction of writing round.
bool is_steering(char32_t code) noexcept;

} // namespace redlock::tool
